#include "gfdt/jacobian/remainder/ring_basis.hpp"

#include <fmt/format.h>

#include "gfdt/jacobian/remainder/monomials.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Expression;

constexpr const char* mean_symbol = "basis.mean";
constexpr const char* factor_symbol = "basis.factor";

/// Exponents of a site and those after it; the first is at least 1.
std::vector<std::vector<int>> exponents() {
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& all : Monomials(RingBasis::neighbours, RingBasis::highest_degree).exponents())
    if (all[0] > 0) result.push_back(all);
  return result;
}

/// Σ_k z[k]^a z[k+1]^b …, with z = factor (X − mean).
Expression function_of(const symbolic::Field& field, const std::vector<int>& powers) {
  Expression product = 1.0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] == 0) continue;
    const Expression site = symbolic::shift(field.self(), field.indices[0].name, static_cast<int>(i));
    product = product * symbolic::power((site - Expression::symbol(mean_symbol)) * Expression::symbol(factor_symbol),
                                        static_cast<double>(powers[i]));
  }
  return symbolic::sum_over_sites(field, product) / field.sites();
}

/// J·∇φ + ½M:∇∇φ
Expression target_of(const symbolic::Model& model, const symbolic::Perturbation& change, const Expression& function) {
  const symbolic::Field& field = model.states[0];
  Expression total = symbolic::directional_derivative(function, {{field.name, change.drift[0]}});
  const Expression slope = symbolic::derivative(function, field.self());
  for (const symbolic::MatrixEntry& entry : change.diffusion)
    total = total + 0.5 * symbolic::sum_over_sites(field, entry.value * symbolic::derivative(slope, entry.column_site));
  return total;
}

}  // namespace

bool RingBasis::suits(const symbolic::Model& model) {
  constexpr int fewest_sites = 2 * neighbours;
  return model.states.size() == 1 && model.states[0].indices.size() == 1 && model.states[0].sites() >= fewest_sites;
}

int RingBasis::count() { return 1 + static_cast<int>(exponents().size()); }

RingBasis::RingBasis(const symbolic::Model& model, const std::vector<std::string>& parameters, const StateScale& scale,
                     codegen::Backend backend, int lanes) {
  std::map<std::string, double> symbols = model.parameter_values();
  symbols.emplace(mean_symbol, scale.mean[0]);
  symbols.emplace(factor_symbol, 1 / scale.std[0]);
  codegen::EvaluationPlan values{model.indices, model.states, {{{"function.0", {}}, 1.0}}},
      dynamics{model.indices, model.states, {}};
  std::vector<Expression> functions;
  for (const std::vector<int>& powers : exponents()) {
    functions.push_back(function_of(model.states[0], powers));
    values.outputs.push_back({{fmt::format("function.{}", functions.size()), {}}, functions.back()});
  }
  for (const std::string& parameter : parameters) {
    first_row_.push_back(dynamics.outputs.size());
    if (parameter.empty()) continue;
    const symbolic::Perturbation change = symbolic::perturbation(model, parameter);
    for (const Expression& function : functions)
      dynamics.outputs.push_back(
          {{fmt::format("target.{}", dynamics.outputs.size()), {}}, target_of(model, change, function)});
  }
  degree_ = highest_degree;
  functions_ = static_cast<int>(values.outputs.size());
  dynamics_rows_ = static_cast<int>(dynamics.outputs.size());
  values_ = codegen::make_evaluator<double>(values, symbols, backend, lanes);
  dynamics_ = codegen::make_evaluator<double>(dynamics, symbols, backend, lanes);
}

Basis::Memory RingBasis::memory() const {
  return {{},
          codegen::AlignedArray<double>(values_->scratch_size()),
          codegen::AlignedArray<double>(dynamics_->scratch_size())};
}

void RingBasis::evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const {
  values_->evaluate(record, 1, functions, memory.functions.data());
  dynamics_->evaluate(record, 1, dynamics, memory.dynamics.data());
}

std::vector<double> RingBasis::targets(std::size_t parameter, std::span<const double> means) const {
  const std::size_t count = static_cast<std::size_t>(functions_), rows = count - 1;
  std::vector<double> result(count, 0.0);
  for (std::size_t k = 0; k < rows; ++k) result[k + 1] = means[(first_row_[parameter] + k) * count];
  return result;
}

}  // namespace gfdt::jacobian

#include "gfdt/jacobian/remainder/polynomial_basis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/symbolic/derived/perturbation.hpp"

namespace gfdt::jacobian {
namespace {

constexpr int most_functions = 40, highest_degree = 6, most_dimensions = 4;

}  // namespace

int basis_degree(const symbolic::Model& model, double effective_samples) {
  const bool scalars =
      std::ranges::all_of(model.states, [](const symbolic::Field& state) { return state.indices.empty(); });
  if (!scalars || model.dimension() > most_dimensions) return 0;
  int degree = 0;
  for (int next = 1; next <= highest_degree; ++next) {
    const int count = Monomials(model.dimension(), next).count();
    if (count <= most_functions && count * samples_a_function <= effective_samples) degree = next;
  }
  return degree >= 2 ? degree : 0;
}

PolynomialBasis::PolynomialBasis(const symbolic::Model& model, const std::vector<std::string>& parameters, int degree,
                                 StateScale scale, codegen::Backend backend, int lanes)
    : monomials_(model.dimension(), degree), scale_(std::move(scale)) {
  degree_ = degree;
  functions_ = monomials_.count();
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  const auto add = [&](std::size_t parameter, const symbolic::Expression& formula,
                       const std::vector<std::size_t>& states) {
    plan.outputs.push_back({{fmt::format("dynamics.{}", terms_.size()), {}}, formula});
    Term term{parameter, {}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(functions()); ++k) {
      std::vector<double> slope(static_cast<std::size_t>(functions()), 0.0);
      slope[k] = states.size() == 2 ? 0.5 : 1;
      for (const std::size_t state : states) {
        slope = monomials_.derivative(slope, static_cast<int>(state));
        for (double& value : slope) value /= scale_.std[state];
      }
      term.derivative.insert(term.derivative.end(), slope.begin(), slope.end());
    }
    terms_.push_back(std::move(term));
  };
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    if (parameters[j].empty()) continue;
    const symbolic::Perturbation change = symbolic::perturbation(model, parameters[j]);
    for (std::size_t i = 0; i < change.drift.size(); ++i)
      if (!change.drift[i].is_number(0)) add(j, change.drift[i], {i});
    for (const symbolic::MatrixEntry& entry : change.diffusion) add(j, entry.value, {entry.row, entry.column});
  }
  dynamics_ = codegen::make_evaluator<double>(plan, model.parameter_values(), backend, lanes);
  lanes_ = dynamics_->lanes();
  dynamics_rows_ = static_cast<int>(terms_.size());
}

Basis::Memory PolynomialBasis::memory() const {
  return {codegen::AlignedArray<double>(scale_.mean.size() * static_cast<std::size_t>(lanes_)),
          {},
          codegen::AlignedArray<double>(dynamics_->scratch_size())};
}

void PolynomialBasis::evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const {
  const std::size_t lanes = static_cast<std::size_t>(lanes_);
  for (std::size_t i = 0; i < scale_.mean.size(); ++i) {
    const double mean = scale_.mean[i], factor = 1 / scale_.std[i];
    for (std::size_t lane = 0; lane < lanes; ++lane)
      memory.normalised[i * lanes + lane] = (record[i * lanes + lane] - mean) * factor;
  }
  monomials_.evaluate(memory.normalised.data(), lanes_, functions);
  dynamics_->evaluate(record, 1, dynamics, memory.dynamics.data());
}

std::vector<double> PolynomialBasis::targets(std::size_t parameter, std::span<const double> means) const {
  const std::size_t count = static_cast<std::size_t>(functions());
  std::vector<double> result(count, 0.0);
  for (std::size_t row = 0; row < terms_.size(); ++row) {
    if (terms_[row].parameter != parameter) continue;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t l = 0; l < count; ++l)
        result[k] += terms_[row].derivative[k * count + l] * means[row * count + l];
  }
  return result;
}

}  // namespace gfdt::jacobian

#include "gfdt/score/exact/one_dimensional.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"

namespace gfdt::score {
namespace {

using symbolic::Expression;

Expression diffusion_of(const symbolic::Model& model) {
  if (model.states.size() != 1 || !model.states[0].indices.empty())
    throw Error(
        fmt::format("The exact score by quadrature is that of one scalar state; this model has {} state variables.",
                    model.dimension()));
  Expression total;
  for (const symbolic::MatrixEntry& entry : symbolic::diffusion_matrix(model)) total = total + entry.value;
  if (total.is_number(0))
    throw Error(fmt::format("'{}' has no noise, so it has no density; give it an entry under [model.diffusion].",
                            model.states[0].name));
  return total;
}

std::unique_ptr<codegen::Evaluator<double>> evaluator_of(const symbolic::Model& model,
                                                         const std::vector<Expression>& formulas,
                                                         codegen::Backend backend) {
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (std::size_t i = 0; i < formulas.size(); ++i)
    plan.outputs.push_back({{fmt::format("output.{}", i), {}}, formulas[i]});
  return codegen::make_evaluator<double>(plan, model.parameter_values(), backend);
}

/// The evaluator's outputs at the `lanes` states of a row. The row is padded with copies of its last state to whole
/// blocks.
template <std::size_t outputs>
void run(const codegen::Evaluator<double>& evaluator, const double* x, int lanes,
         const std::array<double*, outputs>& results) {
  if (lanes == 0) return;
  const std::size_t width = static_cast<std::size_t>(evaluator.lanes()), count = static_cast<std::size_t>(lanes);
  const std::size_t blocks = (count + width - 1) / width;
  codegen::AlignedArray<double> record(blocks * width), values(blocks * width * outputs),
      scratch(evaluator.scratch_size());
  std::fill(std::copy_n(x, count, record.data()), record.data() + record.size(), x[count - 1]);
  evaluator.evaluate(record.data(), blocks, values.data(), scratch.data());
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t i = 0; i < outputs; ++i)
      std::copy_n(values.data() + (block * outputs + i) * width, std::min(width, count - block * width),
                  results[i] + block * width);
}

}  // namespace

ExactOneDimensional::ExactOneDimensional(const symbolic::Model& model, codegen::Backend backend) : Field(1) {
  const Expression d = diffusion_of(model), x = model.states[0].self();
  score_ = (2.0 * model.drift[0] - symbolic::derivative(d, x)) / d;
  score_derivative_ = symbolic::derivative(score_, x);
  score_evaluator_ = evaluator_of(model, {score_}, backend);
  derivative_evaluator_ = evaluator_of(model, {score_, score_derivative_}, backend);
  diffusion_evaluator_ = evaluator_of(model, {score_, d}, backend);
}

ExactOneDimensional::~ExactOneDimensional() = default;

void ExactOneDimensional::evaluate(const double* x, int lanes, double* s) const {
  run<1>(*score_evaluator_, x, lanes, {s});
}

void ExactOneDimensional::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                        double* sv) const {
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::vector<double> slope(width);
  run<2>(*derivative_evaluator_, x, lanes, {s, slope.data()});
  for (std::size_t i = 0; i < static_cast<std::size_t>(directions) * width; ++i) sv[i] = slope[i % width] * v[i];
}

void ExactOneDimensional::score_and_diffusion(const double* x, int lanes, double* s, double* diffusion) const {
  run<2>(*diffusion_evaluator_, x, lanes, {s, diffusion});
}

std::string ExactOneDimensional::description() const { return "exact score of a model with one variable"; }

}  // namespace gfdt::score

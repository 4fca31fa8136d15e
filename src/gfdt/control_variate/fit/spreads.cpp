#include "gfdt/control_variate/fit/spreads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/control_variate/dictionary/product_rows.hpp"

namespace gfdt::control_variate {
namespace {

/// Number of samples used, and the share of them that may lie beyond either end of the range.
constexpr std::size_t looked_at = 16384;
constexpr double beyond = 5e-4;

Spread spread_of(const Coordinate& coordinate, std::vector<double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    if (!std::isfinite(value))
      throw Error(fmt::format("'{}' is not finite at some states of the run: no control variate.", coordinate.name));
    sum += value;
    squares += value * value;
  }
  const double n = static_cast<double>(values.size());
  Spread spread;
  // A ramp is zero where it is flat, and so must be its powers.
  spread.mean = coordinate.shape == Coordinate::Shape::ramp ? 0 : sum / n;
  spread.std = std::sqrt(std::max(0.0, squares / n - spread.mean * spread.mean));
  if (!(spread.std > 0)) spread.std = 1;
  const auto at = [&](double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * (n - 1));
    std::nth_element(values.begin(), place, values.end());
    return (*place - spread.mean) / spread.std;
  };
  spread.low = at(beyond);
  spread.high = at(1 - beyond);
  return spread;
}

}  // namespace

std::vector<std::vector<double>> values_at_samples(const symbolic::Model& model,
                                                   const std::vector<Expression>& formulas,
                                                   const score::Samples& samples) {
  constexpr std::size_t width = lanes;
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (const Expression& formula : formulas)
    plan.outputs.push_back({{fmt::format("row.{}", plan.outputs.size()), model.states[0].indices}, formula});
  const auto evaluator =
      codegen::make_evaluator<double>(plan, model.parameter_values(), codegen::Backend::interpreter, lanes);
  const std::size_t dimension = static_cast<std::size_t>(samples.dimension());
  const std::size_t sites = static_cast<std::size_t>(sites_of(model));
  const std::size_t stride = std::max<std::size_t>(1, samples.size() / looked_at);
  codegen::AlignedArray<double> states(dimension * width), rows(formulas.size() * sites * width),
      scratch(evaluator->scratch_size());
  std::vector<std::vector<double>> values(formulas.size());
  for (std::size_t first = 0; first < samples.size(); first += width * stride) {
    const std::size_t count = std::min(width, (samples.size() - first + stride - 1) / stride);
    for (std::size_t lane = 0; lane < width; ++lane)
      for (std::size_t i = 0; i < dimension; ++i)
        states[i * width + lane] = samples[first + std::min(lane, count - 1) * stride][i];
    evaluator->evaluate(states.data(), 1, rows.data(), scratch.data());
    for (std::size_t q = 0; q < formulas.size(); ++q)
      for (std::size_t site = 0; site < sites; ++site) {
        const double* const row = &rows[(q * sites + site) * width];
        values[q].insert(values[q].end(), row, row + count);
      }
  }
  return values;
}

std::vector<Spread> spreads_of(const symbolic::Model& model, const std::vector<Coordinate>& coordinates,
                               const score::Samples& samples) {
  std::vector<Expression> formulas;
  for (const Coordinate& coordinate : coordinates) formulas.push_back(coordinate.value());
  std::vector<std::vector<double>> values = values_at_samples(model, formulas, samples);
  std::vector<Spread> result;
  for (std::size_t q = 0; q < coordinates.size(); ++q)
    result.push_back(spread_of(coordinates[q], std::move(values[q])));
  return result;
}

}  // namespace gfdt::control_variate

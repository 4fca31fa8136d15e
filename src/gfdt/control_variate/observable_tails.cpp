#include "gfdt/control_variate/observable_tails.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/control_variate/dictionary/product_rows.hpp"

namespace gfdt::control_variate {
std::vector<std::vector<double>> values_at(const score::Samples& samples, const Quantities& values, std::size_t count) {
  constexpr std::size_t width = static_cast<std::size_t>(lanes);
  const std::size_t dimension = static_cast<std::size_t>(samples.dimension());
  codegen::AlignedArray<double> states(dimension * width), found(count * width);
  std::vector<std::vector<double>> result(count, std::vector<double>(samples.size()));
  for (std::size_t at = 0; at < samples.size(); at += width) {
    const std::size_t used = std::min(width, samples.size() - at);
    for (std::size_t lane = 0; lane < width; ++lane)
      for (std::size_t c = 0; c < dimension; ++c) states[c * width + lane] = samples[at + std::min(lane, used - 1)][c];
    values(states.data(), found.data());
    for (std::size_t m = 0; m < count; ++m)
      for (std::size_t lane = 0; lane < used; ++lane) result[m][at + lane] = found[m * width + lane];
  }
  return result;
}

std::vector<symbolic::Interval> ranges_of(const symbolic::Model& model,
                                          const statistics::ObservedFunctions& functions) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::map<std::string, double> parameters;
  for (const symbolic::Parameter& parameter : model.parameters) parameters[parameter.name] = parameter.value;
  std::vector<symbolic::Interval> result;
  for (const symbolic::Observable& observable : model.observables)
    result.push_back(functions.contains(observable.name) ? symbolic::Interval{-infinite, infinite}
                                                         : symbolic::range(observable.formula, parameters));
  return result;
}

void judge_tails(const score::Samples& samples, const Quantities& values, const std::vector<symbolic::Interval>& ranges,
                 std::vector<statistics::Average>& observables) {
  std::vector<std::vector<double>> found = values_at(samples, values, observables.size());
  for (std::size_t m = 0; m < observables.size(); ++m) {
    if (std::isfinite(ranges[m].lower) && std::isfinite(ranges[m].upper)) continue;
    observables[m].tail = statistics::tail_index(std::move(found[m]));
  }
}

}  // namespace gfdt::control_variate

#include "gfdt/jacobian/finite_difference/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gfdt/base/philox.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/model/point.hpp"

namespace gfdt::jacobian {
namespace {

constexpr std::uint32_t points = 64;
constexpr std::uint64_t seed = 0x73746570;
constexpr double relative_difference = 1e-4;

/// A random state with the first two moments of the run; angles are uniform on the circle.
symbolic::Point point_of_run(const symbolic::Model& model, std::span<const statistics::Average> moments,
                             std::uint32_t number) {
  symbolic::Point point(model, seed, number);
  if (moments.size() != 2 * model.states.size()) return point;
  const codegen::Stream stream(seed, codegen::Purpose::sampling, points + number);
  std::uint64_t position = 0;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    if (model.is_angle(i)) {
      for (double& value : point.states[model.states[i].name]) value = std::numbers::pi * stream.normal(position++);
      continue;
    }
    const double mean = moments[2 * i].mean, square = moments[2 * i + 1].mean;
    const double deviation = std::sqrt(std::max(0.0, square - mean * mean));
    for (double& value : point.states[model.states[i].name]) value = mean + deviation * stream.normal(position++);
  }
  return point;
}

/// rms(f)/rms(∂f/∂θ) over the points at which both are defined.
double ratio_of(const symbolic::Expression& formula, const std::string& parameter,
                std::vector<symbolic::Point>& states) {
  double squares = 0, changes = 0;
  for (symbolic::Point& point : states) {
    double& theta = point.parameters[parameter];
    const double middle = theta, step = relative_difference * (middle != 0 ? std::abs(middle) : 1);
    const double value = point(formula);
    theta = middle + step;
    const double above = point(formula);
    theta = middle - step;
    const double slope = (above - point(formula)) / (2 * step);
    theta = middle;
    if (!std::isfinite(value) || !std::isfinite(slope)) continue;
    squares += value * value;
    changes += slope * slope;
  }
  return squares > 0 && changes > 0 ? std::sqrt(squares / changes) : std::numeric_limits<double>::infinity();
}

}  // namespace

double natural_change(const symbolic::Model& model, const std::string& parameter,
                      std::span<const statistics::Average> moments) {
  std::vector<symbolic::Point> states;
  for (std::uint32_t number = 0; number < points; ++number) states.push_back(point_of_run(model, moments, number));
  double result = std::numeric_limits<double>::infinity();
  const auto consider = [&](const symbolic::Expression& formula) {
    if (symbolic::depends_on(formula, parameter)) result = std::min(result, ratio_of(formula, parameter, states));
  };
  for (const symbolic::Expression& drift : model.drift) consider(drift);
  for (const symbolic::DiffusionTerm& term : model.diffusion) consider(term.amplitude);
  return result;
}

}  // namespace gfdt::jacobian

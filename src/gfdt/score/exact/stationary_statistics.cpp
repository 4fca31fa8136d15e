#include "gfdt/score/exact/stationary_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gfdt/score/exact/stationary_density.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"

namespace gfdt::score {
namespace {

using symbolic::Expression;
using symbolic::Function;
using symbolic::Kind;
using OfState = std::function<double(double)>;

/// Largest step of the differences, relative to the parameter.
constexpr double widest_step = 0.02;

OfState function_of_state(const symbolic::Model& model, const Expression& formula) {
  return [&model, formula, known = model.parameter_values()](double x) {
    const symbolic::Values values{
        [&](const std::string& name) { return name == model.states[0].name ? x : known.at(name); }, {}};
    return symbolic::evaluate(formula, values);
  };
}

/// Collects formulas whose sign changes mark the jumps and kinks of this formula.
void collect_switches(const Expression& formula, std::vector<Expression>& switches) {
  if (formula.kind() == Kind::call) {
    const auto operands = formula.operands();
    switch (formula.function()) {
      case Function::less:
      case Function::less_equal:
      case Function::equal:
      case Function::min:
      case Function::max:
        switches.push_back(operands[0] - operands[1]);
        break;
      case Function::abs:
      case Function::sign:
        switches.push_back(operands[0]);
        break;
      default:
        break;
    }
  }
  if (formula.kind() == Kind::number || formula.kind() == Kind::symbol) return;
  for (const Expression& operand : formula.operands()) collect_switches(operand, switches);
}

/// The point between a and b at which f changes sign, to the last digit.
double sign_change(const OfState& f, double a, double b) {
  const bool below = f(a) < 0;
  for (double middle = std::midpoint(a, b); a < middle && middle < b; middle = std::midpoint(a, b))
    ((f(middle) < 0) == below ? a : b) = middle;
  return b;
}

/// The ends of a panel and the points in it at which one of the functions changes sign, in increasing order.
std::vector<double> pieces(const DensityPanel& panel, const std::vector<OfState>& switches) {
  std::vector<double> points{panel.begin};
  for (std::size_t i = 0; i < GaussLegendre::points; ++i) points.push_back(panel.node(i));
  points.push_back(panel.end);
  std::vector<double> ends{panel.begin, panel.end};
  for (const OfState& f : switches)
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      if ((f(points[i]) < 0) != (f(points[i + 1]) < 0)) ends.push_back(sign_change(f, points[i], points[i + 1]));
  std::ranges::sort(ends);
  return ends;
}

/// <A> and <A²>.
struct Moments {
  double first = 0, second = 0;
};

Moments moments(const StationaryDensity& density, const symbolic::Model& model, const Expression& formula) {
  const GaussLegendre& rule = gauss_legendre();
  const OfState f = function_of_state(model, formula);
  std::vector<Expression> found;
  collect_switches(formula, found);
  std::vector<OfState> switches;
  for (const Expression& change : found) switches.push_back(function_of_state(model, change));
  Moments sum;
  for (const DensityPanel& panel : density.panels()) {
    const std::vector<double> ends = pieces(panel, switches);
    const bool whole = ends.size() == 2;
    for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
      const double middle = std::midpoint(ends[piece], ends[piece + 1]), half = (ends[piece + 1] - ends[piece]) / 2;
      for (std::size_t i = 0; half > 0 && i < GaussLegendre::points; ++i) {
        const double x = middle + half * rule.nodes[i], value = f(x);
        const double mass = half * rule.weights[i] * (whole ? panel.density[i] : density.density(x));
        if (!(mass > 0)) continue;
        sum.first += mass * value;
        sum.second += mass * value * value;
      }
    }
  }
  return sum;
}

}  // namespace

StationaryStatistics stationary_statistics(const symbolic::Model& model) {
  const StationaryDensity density(model);
  StationaryStatistics result;
  for (const symbolic::Observable& observable : model.observables) {
    const Moments found = moments(density, model, observable.formula);
    result.mean.push_back(found.first);
    result.standard_deviation.push_back(std::sqrt(std::max(0.0, found.second - found.first * found.first)));
  }
  return result;
}

std::vector<double> stationary_jacobian(const symbolic::Model& model) {
  const std::size_t rows = model.observables.size(), columns = model.parameters.size();
  std::vector<double> jacobian(rows * columns);
  const auto mean_at = [&](std::size_t parameter, double change) {
    symbolic::Model changed = model;
    changed.parameters[parameter].value += change;
    return stationary_statistics(changed).mean;
  };
  for (std::size_t j = 0; j < columns; ++j) {
    const double value = std::abs(model.parameters[j].value), widest = widest_step * (value > 0 ? value : 1);
    std::vector<double> quotient[3];
    for (int level = 0; level < 3; ++level) {
      const double step = std::ldexp(widest, -level);
      const std::vector<double> above = mean_at(j, step), below = mean_at(j, -step);
      for (std::size_t m = 0; m < rows; ++m) quotient[level].push_back((above[m] - below[m]) / (2 * step));
    }
    for (std::size_t m = 0; m < rows; ++m) {
      const double once = (4 * quotient[1][m] - quotient[0][m]) / 3, again = (4 * quotient[2][m] - quotient[1][m]) / 3;
      jacobian[m * columns + j] = (16 * again - once) / 15;
    }
  }
  return jacobian;
}

}  // namespace gfdt::score

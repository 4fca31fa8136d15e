#include "gfdt/symbolic/expression/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "gfdt/symbolic/expression/evaluate_function.hpp"

namespace gfdt::symbolic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval everything{-infinity, infinity}, truth{0, 1};

/// Product of interval ends. Infinite ends are limits of finite values, so zero times infinity is zero.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval multiplied(const Interval& a, const Interval& b) {
  const auto [lower, upper] = std::minmax(
      {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower), product(a.upper, b.upper)});
  return {lower, upper};
}

Interval added(const Interval& a, const Interval& b) { return {a.lower + b.lower, a.upper + b.upper}; }

/// Range of |x|.
Interval magnitude(const Interval& x) {
  const double largest = std::max(-x.lower, x.upper);
  return {x.contains(0) ? 0 : std::min(std::abs(x.lower), std::abs(x.upper)), largest};
}

/// Range of x^n for x ≥ 0.
Interval positive_power(const Interval& x, double exponent) {
  const double at_lower = power_value(x.lower, exponent), at_upper = power_value(x.upper, exponent);
  return {std::min(at_lower, at_upper), std::max(at_lower, at_upper)};
}

Interval power_range(const Interval& base, double exponent) {
  if (exponent == 0) return {1, 1};
  const bool whole = exponent == std::floor(exponent);
  // A fractional power of a negative number is NaN.
  if (!whole) return positive_power({std::max(0.0, base.lower), std::max(0.0, base.upper)}, exponent);
  if (std::fmod(exponent, 2) == 0) return positive_power(magnitude(base), exponent);
  if (exponent < 0 && base.contains(0)) {
    if (base.lower >= 0) return positive_power(base, exponent);
    return everything;
  }
  return {std::min(power_value(base.lower, exponent), power_value(base.upper, exponent)),
          std::max(power_value(base.lower, exponent), power_value(base.upper, exponent))};
}

Interval power_range(const Interval& base, const Interval& exponent) {
  if (exponent.lower == exponent.upper) return power_range(base, exponent.lower);
  return base.lower >= 0 ? Interval{0, infinity} : everything;
}

/// Range of the truth value x ≠ 0.
Interval as_truth(const Interval& x) {
  if (!x.contains(0)) return {1, 1};
  return x.lower == 0 && x.upper == 0 ? Interval{0, 0} : truth;
}

Interval comparison(bool always, bool never) { return always ? Interval{1, 1} : never ? Interval{0, 0} : truth; }

class Ranges {
 public:
  explicit Ranges(const std::map<std::string, double>& symbols) : symbols_(symbols) {}

  Interval of(const Expression& formula) {
    if (const auto known = known_.find(formula.identity()); known != known_.end()) return known->second;
    Interval found = computed(formula);
    if (std::isnan(found.lower)) found.lower = -infinity;
    if (std::isnan(found.upper)) found.upper = infinity;
    return known_.emplace(formula.identity(), found).first->second;
  }

 private:
  Interval computed(const Expression& formula) {
    switch (formula.kind()) {
      case Kind::number:
        return {formula.value(), formula.value()};
      case Kind::symbol: {
        const auto found = symbols_.find(formula.name());
        return found == symbols_.end() ? everything : Interval{found->second, found->second};
      }
      case Kind::site:
        return everything;
      case Kind::sum: {
        const double sites = formula.bound().size;
        return multiplied({sites, sites}, of(formula.operands()[0]));
      }
      case Kind::add: {
        Interval total{0, 0};
        for (const Expression& term : formula.operands()) total = added(total, of(term));
        return total;
      }
      case Kind::multiply: {
        Interval total{1, 1};
        for (const Expression& factor : formula.operands()) total = multiplied(total, of(factor));
        return total;
      }
      case Kind::power:
        return power_range(of(formula.operands()[0]), of(formula.operands()[1]));
      case Kind::call:
        return of_call(formula);
    }
    return everything;
  }

  Interval of_call(const Expression& call) {
    std::vector<Interval> arguments;
    for (const Expression& argument : call.operands()) arguments.push_back(of(argument));
    const Interval& x = arguments[0];
    const auto monotone = [&](const Interval& over) -> Interval {
      return {function_value(call.function(), std::span(&over.lower, 1)),
              function_value(call.function(), std::span(&over.upper, 1))};
    };
    switch (call.function()) {
      case Function::exp:
      case Function::sinh:
      case Function::tanh:
      case Function::atan:
      case Function::sign:
      case Function::erf:
        return monotone(x);
      case Function::log:
        return monotone({std::max(0.0, x.lower), std::max(0.0, x.upper)});
      case Function::cosh:
        return monotone(magnitude(x));
      case Function::sin:
      case Function::cos:
        return x.lower == x.upper ? monotone(x) : Interval{-1, 1};
      case Function::tan:
        return x.lower == x.upper ? monotone(x) : everything;
      case Function::abs:
        return magnitude(x);
      case Function::min:
        return {std::min(x.lower, arguments[1].lower), std::min(x.upper, arguments[1].upper)};
      case Function::max:
        return {std::max(x.lower, arguments[1].lower), std::max(x.upper, arguments[1].upper)};
      case Function::less:
        return comparison(x.upper < arguments[1].lower, x.lower >= arguments[1].upper);
      case Function::less_equal:
        return comparison(x.upper <= arguments[1].lower, x.lower > arguments[1].upper);
      case Function::equal:
        return comparison(x.lower == x.upper && x == arguments[1],
                          x.upper < arguments[1].lower || x.lower > arguments[1].upper);
      case Function::logical_and:
      case Function::logical_or: {
        Interval total = as_truth(x);
        for (const Interval& argument : std::span(arguments).subspan(1)) {
          const Interval other = as_truth(argument);
          if (call.function() == Function::logical_and)
            total = {std::min(total.lower, other.lower), std::min(total.upper, other.upper)};
          else
            total = {std::max(total.lower, other.lower), std::max(total.upper, other.upper)};
        }
        return total;
      }
      case Function::logical_not: {
        const Interval is = as_truth(x);
        return {1 - is.upper, 1 - is.lower};
      }
    }
    return everything;
  }

  const std::map<std::string, double>& symbols_;
  std::unordered_map<const Node*, Interval> known_;
};

}  // namespace

Interval range(const Expression& formula, const std::map<std::string, double>& symbols) {
  return Ranges(symbols).of(formula);
}

}  // namespace gfdt::symbolic

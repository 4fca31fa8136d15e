#include "gfdt/symbolic/expression/derivative_rules.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

Expression product_rule(std::span<const Expression> factors, std::span<const Expression> slopes) {
  std::vector<Expression> terms;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (slopes[i].is_number(0)) continue;
    std::vector<Expression> term(factors.begin(), factors.end());
    term[i] = slopes[i];
    terms.push_back(multiply(std::move(term)));
  }
  return add(std::move(terms));
}

/// (b^e)' = e b^(e-1) b' + b^e log(b) e'
Expression power_rule(const Expression& power_, const Expression& base_slope, const Expression& exponent_slope) {
  const Expression& base = power_.operands()[0];
  const Expression& exponent = power_.operands()[1];
  std::vector<Expression> terms;
  if (!base_slope.is_number(0)) terms.push_back(multiply({exponent, power(base, exponent - 1.0), base_slope}));
  if (!exponent_slope.is_number(0) && !base.is_number(0))
    terms.push_back(multiply({power_, call(Function::log, {base}), exponent_slope}));
  return add(std::move(terms));
}

/// min(a,b)' = a' [a < b] + b' [a ≥ b]
Expression extremum_rule(const Expression& first_wins, std::span<const Expression> slopes) {
  if (slopes[0] == slopes[1]) return slopes[0];
  return slopes[0] * first_wins + slopes[1] * call(Function::logical_not, {first_wins});
}

Expression slope_of_function(const Expression& formula) {
  const Expression& u = formula.operands()[0];
  switch (formula.function()) {
    case Function::exp:
      return formula;
    case Function::log:
      return power(u, -1.0);
    case Function::sin:
      return call(Function::cos, {u});
    case Function::cos:
      return -call(Function::sin, {u});
    case Function::tan:
      return 1.0 + power(formula, 2.0);
    case Function::sinh:
      return call(Function::cosh, {u});
    case Function::cosh:
      return call(Function::sinh, {u});
    case Function::tanh:
      return 1.0 - power(formula, 2.0);
    case Function::atan:
      return power(1.0 + power(u, 2.0), -1.0);
    case Function::abs:
      return call(Function::sign, {u});
    case Function::erf:
      return 2 * std::numbers::inv_sqrtpi * call(Function::exp, {-power(u, 2.0)});
    default:
      break;
  }
  throw NotDifferentiable(
      fmt::format("{} jumps, so a formula that holds it has no derivative there.", abbreviated(formula)));
}

Expression call_rule(const Expression& formula, std::span<const Expression> slopes) {
  bool constant = true;
  for (const Expression& slope : slopes) constant = constant && slope.is_number(0);
  if (constant) return 0.0;
  auto arguments = formula.operands();
  if (formula.function() == Function::min)
    return extremum_rule(call(Function::less, {arguments[0], arguments[1]}), slopes);
  if (formula.function() == Function::max)
    return extremum_rule(call(Function::less, {arguments[1], arguments[0]}), slopes);
  return slope_of_function(formula) * slopes[0];
}

}  // namespace

Expression chain_rule(const Expression& formula, const std::function<Expression(const Expression&)>& derivative_of) {
  std::vector<Expression> slopes;
  for (const Expression& operand : formula.operands()) slopes.push_back(derivative_of(operand));
  switch (formula.kind()) {
    case Kind::add:
      return add(std::move(slopes));
    case Kind::multiply:
      return product_rule(formula.operands(), slopes);
    case Kind::power:
      return power_rule(formula, slopes[0], slopes[1]);
    case Kind::call:
      return call_rule(formula, slopes);
    default:
      return 0.0;
  }
}

}  // namespace gfdt::symbolic

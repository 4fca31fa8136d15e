#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/evaluate_function.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

bool is_odd(Function f) {
  return f == Function::sin || f == Function::tan || f == Function::sinh || f == Function::tanh ||
         f == Function::atan || f == Function::erf || f == Function::sign;
}

bool is_even(Function f) { return f == Function::cos || f == Function::cosh || f == Function::abs; }

bool is_logical(Function f) { return f == Function::logical_and || f == Function::logical_or; }

bool is_call(const Expression& e, Function f) { return e.kind() == Kind::call && e.function() == f; }

/// Whether the form of a formula shows that its value is 0 or 1.
bool is_indicator(const Expression& e) {
  if (e.is_number()) return e.value() == 0 || e.value() == 1;
  return e.kind() == Kind::call && e.function() >= Function::less;
}

Expression indicator(const Expression& e) {
  return is_indicator(e) ? e : call(Function::logical_not, {call(Function::logical_not, {e})});
}

Expression negation(const Expression& condition) {
  if (is_call(condition, Function::logical_not) && is_indicator(condition.operands()[0]))
    return condition.operands()[0];
  if (is_call(condition, Function::less) || is_call(condition, Function::less_equal)) {
    bool strict = condition.function() == Function::less;
    return call(strict ? Function::less_equal : Function::less, {condition.operands()[1], condition.operands()[0]});
  }
  return Node::raw_call(Function::logical_not, {condition});
}

/// Conjunction or disjunction. `and` has the neutral element 1 and the absorbing element 0; `or` the opposite.
Expression connective(Function f, const std::vector<Expression>& conditions) {
  const bool neutral = f == Function::logical_and;
  std::vector<Expression> kept;
  std::unordered_set<const Node*> seen;
  for (const Expression& condition : conditions) {
    bool nested = is_call(condition, f);
    for (const Expression& e : nested ? condition.operands() : std::span(&condition, 1)) {
      if (e.is_number() && (e.value() != 0) != neutral) return neutral ? 0.0 : 1.0;
      if (!e.is_number() && seen.insert(e.identity()).second) kept.push_back(e);
    }
  }
  if (kept.empty()) return neutral ? 1.0 : 0.0;
  return kept.size() == 1 ? indicator(kept.front()) : Node::raw_call(f, std::move(kept));
}

Expression folded(Function f, const std::vector<Expression>& arguments) {
  std::vector<double> values;
  for (const Expression& argument : arguments) values.push_back(argument.value());
  double value = function_value(f, values);
  if (!std::isfinite(value)) throw Error(fmt::format("{}({}) is not a finite number.", function_name(f), values[0]));
  return value;
}

Expression call_of_one(Function f, const Expression& argument) {
  if (coefficient_of(argument) < 0) {
    if (is_odd(f)) return -call(f, {-argument});
    if (is_even(f)) return call(f, {-argument});
  }
  if (f == Function::abs && (is_call(argument, f) || is_indicator(argument))) return argument;
  if (f == Function::log && is_call(argument, Function::exp)) return argument.operands()[0];
  if (f == Function::exp && is_call(argument, Function::log)) return argument.operands()[0];
  if (f == Function::logical_not) return negation(argument);
  return Node::raw_call(f, {argument});
}

Expression call_of_two(Function f, const Expression& a, const Expression& b) {
  if (a == b) {
    if (f == Function::min || f == Function::max) return a;
    return f == Function::less ? 0.0 : 1.0;
  }
  if (f == Function::equal && (a.is_number() || (!b.is_number() && precedes(b, a)))) return Node::raw_call(f, {b, a});
  return Node::raw_call(f, {a, b});
}

}  // namespace

const char* function_name(Function function) {
  switch (function) {
    case Function::exp:
      return "exp";
    case Function::log:
      return "log";
    case Function::sin:
      return "sin";
    case Function::cos:
      return "cos";
    case Function::tan:
      return "tan";
    case Function::sinh:
      return "sinh";
    case Function::cosh:
      return "cosh";
    case Function::tanh:
      return "tanh";
    case Function::atan:
      return "atan";
    case Function::abs:
      return "abs";
    case Function::sign:
      return "sign";
    case Function::erf:
      return "erf";
    case Function::min:
      return "min";
    case Function::max:
      return "max";
    default:
      return "";
  }
}

double function_value(Function function, std::span<const double> x) {
  switch (function) {
    case Function::exp:
      return std::exp(x[0]);
    case Function::log:
      return std::log(x[0]);
    case Function::sin:
      return std::sin(x[0]);
    case Function::cos:
      return std::cos(x[0]);
    case Function::tan:
      return std::tan(x[0]);
    case Function::sinh:
      return std::sinh(x[0]);
    case Function::cosh:
      return std::cosh(x[0]);
    case Function::tanh:
      return std::tanh(x[0]);
    case Function::atan:
      return std::atan(x[0]);
    case Function::abs:
      return std::abs(x[0]);
    case Function::sign:
      return x[0] > 0 ? 1 : x[0] < 0 ? -1 : x[0];
    case Function::erf:
      return std::erf(x[0]);
    case Function::min:
      return x[0] < x[1] ? x[0] : x[1];
    case Function::max:
      return x[0] > x[1] ? x[0] : x[1];
    case Function::less:
      return x[0] < x[1] ? 1 : 0;
    case Function::less_equal:
      return x[0] <= x[1] ? 1 : 0;
    case Function::equal:
      return x[0] == x[1] ? 1 : 0;
    case Function::logical_and:
      return std::ranges::all_of(x, [](double v) { return v != 0; }) ? 1 : 0;
    case Function::logical_or:
      return std::ranges::any_of(x, [](double v) { return v != 0; }) ? 1 : 0;
    case Function::logical_not:
      return x[0] == 0 ? 1 : 0;
  }
  return 0;
}

double power_value(double base, double exponent) {
  if (exponent == -1) return 1 / base;
  if (exponent == 2) return base * base;
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1 / std::sqrt(base);
  return std::pow(base, exponent);
}

Expression call(Function function, std::vector<Expression> arguments) {
  if (is_logical(function)) return connective(function, arguments);
  const std::size_t expected = function >= Function::min && function <= Function::equal ? 2 : 1;
  if (arguments.size() != expected)
    throw Error(fmt::format("The function {} takes {} argument{}, not {}.", function_name(function), expected,
                            expected == 1 ? "" : "s", arguments.size()));
  if (std::ranges::all_of(arguments, [](const Expression& e) { return e.is_number(); }))
    return folded(function, arguments);
  return expected == 1 ? call_of_one(function, arguments[0]) : call_of_two(function, arguments[0], arguments[1]);
}

}  // namespace gfdt::symbolic

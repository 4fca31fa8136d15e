#include "gfdt/calibrate/targets/impossible_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gfdt/symbolic/expression/range.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::calibrate {
namespace {

using symbolic::Expression;

constexpr double rounding = 1e-12;
constexpr double standard_errors = 4;

std::string bounds_in_words(const symbolic::Interval& range) {
  if (std::isinf(range.upper)) return fmt::format("at least {:g}", range.lower);
  if (std::isinf(range.lower)) return fmt::format("at most {:g}", range.upper);
  return fmt::format("between {:g} and {:g}", range.lower, range.upper);
}

}  // namespace

std::string impossible_target(const symbolic::Model& model, const Targets& targets, const std::set<std::string>& free) {
  std::map<std::string, double> fixed;
  for (const symbolic::Parameter& parameter : model.parameters)
    if (!free.contains(parameter.name)) fixed.emplace(parameter.name, parameter.value);
  std::vector<Expression> formulas;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto found = std::ranges::find(model.observables, targets.observables[i], &symbolic::Observable::name);
    if (found == model.observables.end()) return {};
    formulas.push_back(found->formula);
    const symbolic::Interval range = symbolic::range(found->formula, fixed);
    const double value = targets.value[i], slack = rounding * std::abs(value);
    if (value < range.lower - slack || value > range.upper + slack)
      return fmt::format("No model reaches the target {} = {:g}: {} is {} in every state, and so is its average.",
                         found->name, value, symbolic::abbreviated(found->formula), bounds_in_words(range));
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t j = 0; j < targets.size(); ++j) {
      if (i == j || !(formulas[j] == symbolic::power(formulas[i], 2.0))) continue;
      const double mean = targets.value[i], square = targets.value[j];
      const double error = std::hypot(2 * mean * targets.standard_error(i), targets.standard_error(j));
      if (mean * mean - square > standard_errors * error)
        return fmt::format(
            "No model reaches both targets {} = {:g} and {} = {:g}: the average of a square is no less than the square "
            "of the average, here {:g}.",
            targets.observables[i], mean, targets.observables[j], square, mean * mean);
    }
  return {};
}

}  // namespace gfdt::calibrate

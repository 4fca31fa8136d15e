#include "gfdt/symbolic/model/angles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gfdt/base/philox.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/model/point.hpp"

namespace gfdt::symbolic {
namespace {

constexpr std::uint64_t seed = 0x616e676c;
constexpr std::uint32_t points = 8;
constexpr double rounding = 1e-9;
constexpr double most_turns = 5;

bool periodic(Function function) {
  return function == Function::sin || function == Function::cos || function == Function::tan;
}

/// Whether a formula contains the field outside periodic functions.
bool bare(const Expression& formula, const std::string& field) {
  if (!symbolic::depends_on(formula, field)) return false;
  if (formula.kind() == Kind::call && periodic(formula.function())) return false;
  const auto operands = formula.operands();
  return operands.empty() || std::ranges::any_of(operands, [&](const Expression& part) { return bare(part, field); });
}

std::vector<Expression> formulas_of(const Model& model) {
  std::vector<Expression> result = model.drift;
  for (const DiffusionTerm& term : model.diffusion) result.push_back(term.amplitude);
  for (const Observable& observable : model.observables) result.push_back(observable.formula);
  return result;
}

/// Whether a formula is unchanged at random points when each site of the field advances by a random number of turns.
bool repeats(const Model& model, const Expression& formula, const std::string& field) {
  for (std::uint32_t number = 0; number < points; ++number) {
    const codegen::Stream stream(seed, codegen::Purpose::sampling, number);
    std::uint64_t position = 0;
    Point point(model, seed, number);
    for (auto& [name, value] : point.parameters) value *= 1 + 0.1 * stream.normal(position++);
    std::map<std::string, int> site;
    for (const Index& index : model.indices) site[index.name] = static_cast<int>(number) % index.size;
    std::erase_if(site, [&](const auto& entry) {
      return std::ranges::find(formula.free_indices(), entry.first) == formula.free_indices().end();
    });
    const double before = point(formula, site);
    for (double& value : point.states[field])
      value += 2 * std::numbers::pi * std::round(most_turns * stream.normal(position++));
    const double change = std::abs(point(formula, site) - before);
    if (std::isfinite(before) && !(change <= rounding * std::max(1.0, std::abs(before)))) return false;
  }
  return true;
}

bool is_angle(const Model& model, const std::vector<Expression>& formulas, const std::string& field) {
  const auto contains = [&](const Expression& formula) { return symbolic::depends_on(formula, field); };
  return std::ranges::any_of(formulas, contains) &&
         std::ranges::none_of(formulas, [&](const Expression& formula) { return bare(formula, field); }) &&
         std::ranges::all_of(
             formulas, [&](const Expression& formula) { return !contains(formula) || repeats(model, formula, field); });
}

}  // namespace

std::vector<bool> find_angles(const Model& model) {
  const std::vector<Expression> formulas = formulas_of(model);
  std::vector<bool> result;
  for (std::size_t i = 0; i < model.states.size(); ++i)
    result.push_back(i != model.time_state && is_angle(model, formulas, model.states[i].name));
  return result;
}

std::array<StateFunction, 2> settling_functions(const Model& model, std::size_t state) {
  const Field& field = model.states[state];
  const Expression x = field.self();
  if (!model.is_angle(state))
    return {StateFunction{field.label(), x}, StateFunction{fmt::format("{}^2", field.label()), x * x}};
  return {StateFunction{fmt::format("cos({})", field.label()), symbolic::call(Function::cos, {x})},
          StateFunction{fmt::format("sin({})", field.label()), symbolic::call(Function::sin, {x})}};
}

}  // namespace gfdt::symbolic

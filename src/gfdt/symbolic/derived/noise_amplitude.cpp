#include "gfdt/symbolic/derived/noise_amplitude.hpp"

#include <algorithm>
#include <map>

#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

/// Whether the formula is odd in the parameter. Detects only formulas that are the parameter times a factor without it.
bool is_proportional(const Expression& formula, const std::string& parameter) {
  const Expression at_one = symbolic::substitute(formula, {{parameter, Expression(1.0)}});
  return symbolic::expand(formula) == symbolic::expand(Expression::symbol(parameter) * at_one);
}

}  // namespace

bool is_noise_amplitude(const Model& model, const std::string& parameter) {
  const auto holds = [&](const Expression& formula) { return symbolic::depends_on(formula, parameter); };
  if (std::ranges::any_of(model.drift, holds) || std::ranges::any_of(model.observables, holds, &Observable::formula))
    return false;
  std::map<std::size_t, bool> multiplies;  // key: noise
  for (const DiffusionTerm& term : model.diffusion) {
    const bool appears = holds(term.amplitude);
    if (appears && !is_proportional(term.amplitude, parameter)) return false;
    const auto [known, first] = multiplies.emplace(term.noise, appears);
    if (!first && known->second != appears) return false;
  }
  return std::ranges::any_of(multiplies, [](const auto& noise) { return noise.second; });
}

}  // namespace gfdt::symbolic

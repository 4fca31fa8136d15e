#include "gfdt/symbolic/derived/partial_formulas.hpp"

#include <cmath>

#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::symbolic {
namespace {

std::optional<PartialFormula> find_in(const Expression& formula, const std::map<std::string, double>& parameters) {
  const auto operands = formula.operands();
  const bool logarithm = formula.kind() == Kind::call && formula.function() == Function::log;
  const bool root = formula.kind() == Kind::power && operands[1].is_number() &&
                    operands[1].value() != std::floor(operands[1].value());
  if ((logarithm || root) && symbolic::range(operands[0], parameters).lower < 0)
    return PartialFormula{formula, operands[0]};
  for (const Expression& part : operands)
    if (auto found = find_in(part, parameters)) return found;
  return {};
}

}  // namespace

std::optional<PartialFormula> find_partial_formula(const Model& model) {
  const std::map<std::string, double> parameters = model.parameter_values();
  for (const Expression& drift : model.drift)
    if (auto found = find_in(drift, parameters)) return found;
  for (const DiffusionTerm& term : model.diffusion)
    if (auto found = find_in(term.amplitude, parameters)) return found;
  return {};
}

}  // namespace gfdt::symbolic

#include "gfdt/jacobian/direct_terms.hpp"

#include <fmt/format.h>

#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::jacobian {

using symbolic::Expression;

std::vector<DirectTerm> direct_terms(const symbolic::Model& model, const std::vector<std::string>& parameters) {
  std::vector<DirectTerm> terms;
  for (std::size_t m = 0; m < model.observables.size(); ++m)
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      const Expression& formula = model.observables[m].formula;
      if (!symbolic::depends_on(formula, parameters[j])) continue;
      DirectTerm term{m, j, {}, {}};
      try {
        term.formula = symbolic::derivative(formula, Expression::symbol(parameters[j]));
      } catch (const Error& error) {
        term.unavailable = error.what();
      }
      if (!term.unavailable.empty() || !term.formula.is_number(0)) terms.push_back(std::move(term));
    }
  return terms;
}

symbolic::Model with_observables(symbolic::Model model, const std::vector<DirectTerm>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (terms[i].unavailable.empty()) model.observables.push_back({fmt::format("direct.{}", i), terms[i].formula});
  return model;
}

}  // namespace gfdt::jacobian

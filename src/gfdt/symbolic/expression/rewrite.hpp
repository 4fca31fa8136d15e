#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Shifts a formula along an index by `offset` sites: X[k-1] shifted by 2 is X[k+1]. Bound indices do not change.
Expression shift(const Expression& formula, const std::string& index, int offset);

/// Evaluates a formula per site of a field at another site: X[k]^2 at X[k+1] is X[k+1]^2. If `site` is a symbol, the
/// formula is returned unchanged.
Expression at_site(const Expression& site, const Expression& per_site);

/// Replaces symbols and fields by formulas. A field is replaced by a formula per site, shifted to each site at which
/// the field appears; the free indices of that formula must be indices of the field.
Expression substitute(const Expression& formula, const std::map<std::string, Expression>& replacements);

/// Multiplies out products and integer powers (up to the 8th) of sums. Products with more than `most_terms` terms are
/// kept.
Expression expand(const Expression& formula, std::size_t most_terms = 2'000);

/// Takes common factors out of sums: σ*a + σ*b becomes σ*(a + b). Powers of the symbols and fields in `keep` stay
/// inside, so that polynomials in them remain polynomials.
Expression collect_factors(const Expression& formula, const std::set<std::string>& keep = {});

/// The same operation applied to other operands.
Expression rebuild(const Expression& formula, std::vector<Expression> operands);

/// Names of all symbols and fields in the formula.
std::set<std::string> names_in(const Expression& formula);

/// Sites of a field in the formula, without duplicates, in a fixed order. Sites inside sums over one of the field's own
/// indices are omitted.
std::vector<Expression> open_sites(const Expression& formula, const std::string& field);

bool depends_on(const Expression& formula, const std::string& name);

/// All sums over sites in the formula, without duplicates.
std::vector<Expression> sums_in(const Expression& formula);

}  // namespace gfdt::symbolic

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// The formula at the site `offset` further along the index: X[k-1] shifted by 2 is X[k+1]. Bound indices stay.
Expression shift(const Expression& formula, const std::string& index, int offset);

/// A formula per site of a field, moved to where `site` stands: X[k]^2 at X[k+1] is X[k+1]^2. Where `site` is a symbol
/// the formula stays.
Expression at_site(const Expression& site, const Expression& per_site);

/// Replaces symbols and fields by formulas; a field by a formula per site, shifted to each site where it stands.
/// A field can be replaced only by a formula whose open indices are among the field's own.
Expression substitute(const Expression& formula, const std::map<std::string, Expression>& replacements);

/// The same formula with products and integer powers of sums (up to the 8th) multiplied out. Products that would take
/// more terms than `most_terms` stay.
Expression expand(const Expression& formula, std::size_t most_terms = 2'000);

/// Takes factors that all terms of a sum share out of it: σ*a + σ*b is σ*(a + b). `keep` names symbols and fields whose
/// bare powers stay inside, so that polynomials in them remain polynomials.
Expression collect_factors(const Expression& formula, const std::set<std::string>& keep = {});

/// The same operation on other operands.
Expression rebuild(const Expression& formula, std::vector<Expression> operands);

/// Names of all symbols and fields in the formula.
std::set<std::string> names_in(const Expression& formula);

/// All sites of a field that stand in the formula, each once, in a fixed order; those inside sums over one of the
/// field's own indices are left out.
std::vector<Expression> open_sites(const Expression& formula, const std::string& field);

bool depends_on(const Expression& formula, const std::string& name);

/// All sums over sites in the formula, each once.
std::vector<Expression> sums_in(const Expression& formula);

}  // namespace gfdt::symbolic

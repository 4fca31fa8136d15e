#include "gfdt/symbolic/expression/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

using Memo = std::unordered_map<Expression, Expression, ExpressionHash>;

template <class Rewrite>
Expression with_operands(const Expression& formula, const Rewrite& rewrite) {
  std::vector<Expression> operands;
  for (const Expression& operand : formula.operands()) operands.push_back(rewrite(operand));
  if (std::ranges::equal(operands, formula.operands())) return formula;
  return rebuild(formula, std::move(operands));
}

class Shift {
 public:
  Shift(std::string index, int offset) : index_(std::move(index)), offset_(offset) {}

  Expression operator()(const Expression& formula) {
    if (!has_free_index(formula, index_)) return formula;
    if (formula.kind() == Kind::site) return site(formula);
    if (auto known = memo_.find(formula); known != memo_.end()) return known->second;
    Expression shifted = with_operands(formula, [this](const Expression& e) { return (*this)(e); });
    memo_.emplace(formula, shifted);
    return shifted;
  }

 private:
  Expression site(const Expression& formula) const {
    std::vector<SiteIndex> indices(formula.indices().begin(), formula.indices().end());
    for (SiteIndex& site : indices)
      if (site.index.name == index_) site.offset += offset_ % site.index.size;
    return Expression::site(formula.name(), std::move(indices));
  }

  std::string index_;
  int offset_;
  Memo memo_;
};

class Substitution {
 public:
  explicit Substitution(const std::map<std::string, Expression>& replacements) : replacements_(replacements) {}

  Expression operator()(const Expression& formula) {
    if (formula.kind() == Kind::number) return formula;
    if (auto known = memo_.find(formula); known != memo_.end()) return known->second;
    Expression result = replaced(formula);
    memo_.emplace(formula, result);
    return result;
  }

 private:
  Expression replaced(const Expression& formula) {
    if (formula.kind() == Kind::symbol || formula.kind() == Kind::site) {
      auto found = replacements_.find(formula.name());
      if (found == replacements_.end()) return formula;
      return at_site(formula, found->second);
    }
    if (formula.kind() == Kind::sum) check_capture(formula);
    return with_operands(formula, [this](const Expression& e) { return (*this)(e); });
  }

  /// Rejects replacing a symbol inside sum(k, ...) by a formula with the free index k, which would change its meaning.
  void check_capture(const Expression& sum) const {
    const std::string& index = sum.bound().name;
    for (const auto& [name, formula] : replacements_)
      if (has_free_index(formula, index) && contains(sum, Expression::symbol(name)))
        throw Error(fmt::format("{} stands inside a sum over {} and cannot be replaced by a formula per site of {}.",
                                name, index, index));
  }

  const std::map<std::string, Expression>& replacements_;
  Memo memo_;
};

}  // namespace

Expression shift(const Expression& formula, const std::string& index, int offset) {
  return offset == 0 ? formula : Shift(index, offset)(formula);
}

Expression at_site(const Expression& site, const Expression& per_site) {
  if (site.kind() == Kind::symbol) return per_site;
  for (const std::string& index : per_site.free_indices())
    if (!has_free_index(site, index))
      throw Error(fmt::format("{} is replaced by a formula per site of {}, which is no index of {}.", site.name(),
                              index, site.name()));
  Expression result = per_site;
  for (const SiteIndex& at : site.indices()) result = shift(result, at.index.name, at.offset);
  return result;
}

Expression substitute(const Expression& formula, const std::map<std::string, Expression>& replacements) {
  return replacements.empty() ? formula : Substitution(replacements)(formula);
}

}  // namespace gfdt::symbolic

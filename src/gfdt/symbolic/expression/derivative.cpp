#include "gfdt/symbolic/expression/derivative.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "gfdt/symbolic/expression/derivative_rules.hpp"
#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

using Memo = std::unordered_map<Expression, Expression, ExpressionHash>;
using Names = std::set<std::string>;

/// Parts of the body of a sum over an index that can depend on a site along that index.
struct SumContents {
  std::set<int> offsets;               ///< offsets of the field's sites that move with the index
  std::vector<Expression> inner_sums;  ///< sums over the same index
  std::vector<Expression> other_sums;  ///< sums over other indices
};

SumContents contents(const Expression& body, const std::string& field, const std::string& index, const Names& frozen) {
  SumContents found;
  std::unordered_set<const Node*> seen;
  std::vector<Expression> waiting{body};
  while (!waiting.empty()) {
    Expression next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next.identity()).second) continue;
    if (next.kind() == Kind::site && next.name() == field) {
      for (const SiteIndex& site : next.indices())
        if (site.index.name == index) found.offsets.insert(site.offset);
    } else if (next.kind() == Kind::sum) {
      if (frozen.contains(next.bound().name)) continue;
      bool same = next.bound().name == index;
      (same ? found.inner_sums : found.other_sums).push_back(next);
      if (same) continue;
    }
    waiting.insert(waiting.end(), next.operands().begin(), next.operands().end());
  }
  return found;
}

Expression at_offset(const Expression& site, const std::string& index, int offset) {
  std::vector<SiteIndex> indices(site.indices().begin(), site.indices().end());
  for (SiteIndex& at : indices)
    if (at.index.name == index) at.offset = offset;
  return Expression::site(site.name(), std::move(indices));
}

class Differentiation {
 public:
  Expression operator()(const Expression& formula, const Expression& variable) {
    return of(formula, question(variable, {}));
  }

 private:
  /// ∂/∂variable with every sum over a frozen index held constant. The variable is a symbol, a site or a whole sum.
  struct Question {
    Expression variable;
    Names frozen;
    Memo answers;
  };

  Question& question(const Expression& variable, const Names& frozen) {
    auto& place = questions_[{variable.identity(), frozen}];
    if (!place) place = std::make_unique<Question>(Question{variable, frozen, {}});
    return *place;
  }

  Expression of(const Expression& formula, Question& asked) {
    if (formula == asked.variable) return 1.0;
    if (formula.operands().empty()) return 0.0;
    if (auto known = asked.answers.find(formula); known != asked.answers.end()) return known->second;
    Expression result = formula.kind() == Kind::sum
                            ? of_sum(formula, asked)
                            : chain_rule(formula, [&](const Expression& operand) { return of(operand, asked); });
    asked.answers.emplace(formula, result);
    return result;
  }

  Expression of_sum(const Expression& formula, Question& asked) {
    const Index& index = formula.bound();
    if (asked.frozen.contains(index.name)) return 0.0;
    for (const SiteIndex& site : asked.variable.indices())
      if (site.index.name == index.name) return of_sum_along(formula, site, asked);
    return sum(index, of(formula.operands()[0], asked));
  }

  /// For a variable x_t, the offsets a at which its field appears in the body f, and the inner sums z over the same
  /// index,
  ///   ∂/∂x_t Σ_m f  =  Σ_a (∂f/∂x_a at m = t − a)  +  Σ_z ∂z/∂x_t Σ_m ∂f/∂z.
  Expression of_sum_along(const Expression& formula, const SiteIndex& along, Question& asked) {
    const Expression& body = formula.operands()[0];
    const std::string& index = along.index.name;
    Names frozen = asked.frozen;
    frozen.insert(index);
    SumContents inside = contents(body, asked.variable.name(), index, asked.frozen);
    std::vector<Expression> parts;
    for (int offset : inside.offsets) {
      Expression slope = of(body, question(at_offset(asked.variable, index, offset), frozen));
      parts.push_back(shift(slope, index, along.offset - offset));
    }
    for (const Expression& inner : inside.inner_sums) {
      Expression slope = of(inner, asked);
      if (slope.is_number(0)) continue;
      check_closed(inner, inside.other_sums);
      parts.push_back(slope * sum(formula.bound(), of(body, question(inner, frozen))));
    }
    return add(std::move(parts));
  }

  static void check_closed(const Expression& inner, const std::vector<Expression>& between) {
    for (const Expression& other : between)
      if (has_free_index(inner, other.bound().name) && contains(other, inner))
        throw Error(fmt::format("The derivative of {} inside sums over both {} and {} is not supported.",
                                abbreviated(inner), other.bound().name, inner.bound().name));
  }

  std::map<std::pair<const Node*, Names>, std::unique_ptr<Question>> questions_;
};

class DirectionalDifferentiation {
 public:
  explicit DirectionalDifferentiation(const std::map<std::string, Expression>& direction) : direction_(direction) {}

  Expression operator()(const Expression& formula) {
    if (formula.operands().empty()) return of_leaf(formula);
    if (auto known = memo_.find(formula); known != memo_.end()) return known->second;
    Expression result = formula.kind() == Kind::sum
                            ? sum(formula.bound(), (*this)(formula.operands()[0]))
                            : chain_rule(formula, [this](const Expression& operand) { return (*this)(operand); });
    memo_.emplace(formula, result);
    return result;
  }

 private:
  Expression of_leaf(const Expression& leaf) const {
    if (leaf.kind() == Kind::number) return 0.0;
    auto found = direction_.find(leaf.name());
    return found == direction_.end() ? Expression(0.0) : at_site(leaf, found->second);
  }

  const std::map<std::string, Expression>& direction_;
  Memo memo_;
};

}  // namespace

Expression derivative(const Expression& formula, const Expression& variable) {
  if (variable.kind() != Kind::symbol && variable.kind() != Kind::site)
    throw Error(
        fmt::format("Derivatives are taken with respect to a symbol or a site, not {}.", abbreviated(variable)));
  return Differentiation()(formula, variable);
}

Expression directional_derivative(const Expression& formula, const std::map<std::string, Expression>& direction) {
  return DirectionalDifferentiation(direction)(formula);
}

}  // namespace gfdt::symbolic

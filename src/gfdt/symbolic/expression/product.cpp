#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

/// coefficient · Π base ^ Σ exponents.
class Powers {
 public:
  void collect(const Expression& formula) {
    if (formula.is_number()) {
      coefficient = finite(coefficient * formula.value(), "A number in a formula, after folding its constants,");
    } else if (formula.kind() == Kind::multiply) {
      for (const Expression& operand : formula.operands()) collect(operand);
    } else {
      Factor factor = split_power(formula);
      auto [place, is_new] = places_.emplace(factor.base.identity(), groups_.size());
      if (is_new) groups_.push_back({factor.base, {}, formula});
      groups_[place->second].exponents.push_back(factor.exponent);
    }
  }

  /// Adds exponents of equal bases. Returns whether another pass is needed, because a base has changed:
  /// sqrt(x*y)*sqrt(x*y) is x*y.
  bool merge(std::vector<Expression>& factors) const {
    bool settled = true;
    factors.clear();
    for (const Group& group : groups_) {
      bool alone = group.exponents.size() == 1;
      factors.push_back(alone ? group.first : power(group.base, add(group.exponents)));
      settled = settled && (alone || split_power(factors.back()).base == group.base) &&
                factors.back().kind() != Kind::multiply && !factors.back().is_number();
    }
    return !settled;
  }

  double coefficient = 1;

 private:
  struct Group {
    Expression base;
    std::vector<Expression> exponents;
    Expression first;
  };
  std::vector<Group> groups_;
  std::unordered_map<const Node*, std::size_t> places_;
};

/// x*(2*a + 2*b) becomes 2*x*(a + b), so that proportional sums have equal bases.
bool take_out_contents(std::vector<Expression>& factors, double& coefficient) {
  bool changed = false;
  for (Expression& factor : factors) {
    if (factor.kind() != Kind::add) continue;
    double common = content(factor);
    if (common == 1) continue;
    coefficient = finite(coefficient * common, "A number in a formula, after folding its constants,");
    factor = scale(factor, 1, common);
    changed = true;
  }
  return changed;
}

}  // namespace

Factor split_power(const Expression& factor) {
  if (factor.kind() == Kind::power) return {factor.operands()[0], factor.operands()[1]};
  return {factor, 1.0};
}

double content(const Expression& terms) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Expression& term : terms.operands()) {
    double size = std::abs(coefficient_of(term));
    smallest = size == 1 || smallest == 1 ? 1 : std::min(smallest, size);
  }
  for (const Expression& term : terms.operands()) {
    double coefficient = coefficient_of(term);
    double multiple = coefficient / smallest;
    if (!is_integer(multiple) || multiple * smallest != coefficient) smallest = 1;
    if (smallest == 1) break;
  }
  return std::copysign(smallest, coefficient_of(terms.operands().front()));
}

Expression multiply(std::vector<Expression> factors) {
  double coefficient = 1;
  for (bool again = true; again;) {
    Powers powers;
    powers.coefficient = coefficient;
    for (const Expression& factor : factors) powers.collect(factor);
    coefficient = powers.coefficient;
    if (coefficient == 0) return 0.0;
    again = powers.merge(factors) || (factors.size() > 1 && take_out_contents(factors, coefficient));
  }
  if (factors.empty()) return coefficient;
  if (factors.size() == 1) return scale(factors.front(), coefficient);
  std::sort(factors.begin(), factors.end(), factor_precedes);
  if (coefficient != 1) factors.insert(factors.begin(), Expression(coefficient));
  return Node::raw_multiply(std::move(factors));
}

}  // namespace gfdt::symbolic

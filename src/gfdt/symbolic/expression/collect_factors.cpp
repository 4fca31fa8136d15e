#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

std::vector<Factor> factors_of(const Expression& term) {
  std::vector<Factor> factors;
  auto operands = term.kind() == Kind::multiply ? term.operands() : std::span(&term, 1);
  for (const Expression& operand : operands)
    if (!operand.is_number()) factors.push_back(split_power(operand));
  return factors;
}

/// The exponent that two powers of a base have in common: x^2 and x^3 share x^2, x^-2 and x^-1 share x^-1. Exponents
/// that are not numbers must be equal. Returns 0 if nothing is shared.
Expression shared_exponent(const Expression& a, const Expression& b) {
  if (a == b) return a;
  if (!a.is_number() || !b.is_number() || a.value() * b.value() <= 0) return 0.0;
  return std::abs(a.value()) < std::abs(b.value()) ? a : b;
}

class FactorCollection {
 public:
  explicit FactorCollection(const std::set<std::string>& keep) : keep_(keep) {}

  Expression operator()(const Expression& formula) {
    if (formula.operands().empty()) return formula;
    if (auto known = memo_.find(formula); known != memo_.end()) return known->second;
    std::vector<Expression> operands;
    for (const Expression& operand : formula.operands()) operands.push_back((*this)(operand));
    Expression result = rebuild(formula, std::move(operands));
    if (result.kind() == Kind::add) result = factored(result);
    memo_.emplace(formula, result);
    return result;
  }

 private:
  bool stays_inside(const Expression& base) const {
    return (base.kind() == Kind::symbol || base.kind() == Kind::site) && keep_.contains(base.name());
  }

  Expression factored(const Expression& formula) const {
    std::vector<Factor> shared = factors_of(formula.operands().front());
    std::erase_if(shared, [&](const Factor& f) { return stays_inside(f.base); });
    for (const Expression& term : formula.operands().subspan(1)) {
      std::vector<Factor> own = factors_of(term);
      for (Factor& factor : shared) {
        auto same = std::ranges::find(own, factor.base, &Factor::base);
        factor.exponent = same == own.end() ? Expression(0.0) : shared_exponent(factor.exponent, same->exponent);
      }
      std::erase_if(shared, [](const Factor& f) { return f.exponent.is_number(0); });
      if (shared.empty()) return formula;
    }
    std::vector<Expression> outside, inverse;
    for (const Factor& factor : shared) {
      outside.push_back(power(factor.base, factor.exponent));
      inverse.push_back(power(factor.base, -factor.exponent));
    }
    Expression divisor = multiply(std::move(inverse));
    std::vector<Expression> inside;
    for (const Expression& term : formula.operands()) inside.push_back(term * divisor);
    outside.push_back(add(std::move(inside)));
    return multiply(std::move(outside));
  }

  const std::set<std::string>& keep_;
  std::unordered_map<Expression, Expression, ExpressionHash> memo_;
};

}  // namespace

Expression collect_factors(const Expression& formula, const std::set<std::string>& keep) {
  return FactorCollection(keep)(formula);
}

}  // namespace gfdt::symbolic

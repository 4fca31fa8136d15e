#include <algorithm>
#include <unordered_map>

#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

constexpr double highest_power = 8;

std::span<const Expression> terms_of(const Expression& formula) {
  return formula.kind() == Kind::add ? formula.operands() : std::span(&formula, 1);
}

bool is_power_to_expand(const Expression& formula) {
  if (formula.kind() != Kind::power || !formula.operands()[1].is_number()) return false;
  double exponent = formula.operands()[1].value();
  return formula.operands()[0].kind() == Kind::add && is_integer(exponent) && exponent > 1 && exponent <= highest_power;
}

class Expansion {
 public:
  explicit Expansion(std::size_t most_terms) : most_terms_(most_terms) {}

  Expression operator()(const Expression& formula) {
    if (formula.operands().empty()) return formula;
    if (auto known = memo_.find(formula); known != memo_.end()) return known->second;
    std::vector<Expression> operands;
    for (const Expression& operand : formula.operands()) operands.push_back((*this)(operand));
    Expression result = multiplied_out(rebuild(formula, std::move(operands)));
    memo_.emplace(formula, result);
    return result;
  }

 private:
  Expression product_of_sums(const Expression& a, const Expression& b) const {
    if (terms_of(a).size() * terms_of(b).size() > most_terms_) return a * b;
    std::vector<Expression> terms;
    for (const Expression& left : terms_of(a))
      for (const Expression& right : terms_of(b)) terms.push_back(left * right);
    return add(std::move(terms));
  }

  Expression multiplied_out(const Expression& formula) const {
    if (is_power_to_expand(formula)) {
      Expression result = formula.operands()[0];
      const auto power = static_cast<int>(formula.operands()[1].value());
      for (int n = 1; n < power; ++n) result = product_of_sums(result, formula.operands()[0]);
      return result;
    }
    if (formula.kind() != Kind::multiply) return formula;
    std::vector<Expression> plain, sums;
    for (const Expression& factor : formula.operands()) {
      Expression expanded = multiplied_out(factor);
      (expanded.kind() == Kind::add ? sums : plain).push_back(expanded);
    }
    Expression result = multiply(std::move(plain));
    for (const Expression& sum : sums) result = product_of_sums(result, sum);
    return result;
  }

  std::size_t most_terms_;
  std::unordered_map<Expression, Expression, ExpressionHash> memo_;
};

}  // namespace

Expression expand(const Expression& formula, std::size_t most_terms) { return Expansion(most_terms)(formula); }

}  // namespace gfdt::symbolic

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/evaluate_function.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

constexpr const char* overflow = "A number in a formula, after folding its constants,";

/// coefficient · monomial, where the monomial is neither a number nor a sum of terms.
Expression term(double coefficient, const Expression& monomial) {
  if (coefficient == 0) return 0.0;
  if (coefficient == 1) return monomial;
  std::vector<Expression> factors{Expression(coefficient)};
  if (monomial.kind() == Kind::multiply)
    factors.insert(factors.end(), monomial.operands().begin(), monomial.operands().end());
  else
    factors.push_back(monomial);
  return Node::raw_multiply(std::move(factors));
}

class LikeTerms {
 public:
  void collect(const Expression& formula) {
    if (formula.is_number()) {
      constant_ += formula.value();
    } else if (formula.kind() == Kind::add) {
      for (const Expression& operand : formula.operands()) collect(operand);
    } else {
      Term next = split_coefficient(formula);
      auto [place, is_new] = places_.emplace(next.monomial.identity(), terms_.size());
      if (is_new)
        terms_.push_back(std::move(next));
      else
        terms_[place->second].coefficient += next.coefficient;
    }
  }

  Expression total() const {
    std::vector<Expression> terms;
    for (const Term& like : terms_)
      if (finite(like.coefficient, overflow) != 0) terms.push_back(term(like.coefficient, like.monomial));
    std::sort(terms.begin(), terms.end(), precedes);
    if (finite(constant_, overflow) != 0) terms.insert(terms.begin(), Expression(constant_));
    if (terms.empty()) return 0.0;
    return terms.size() == 1 ? terms.front() : Node::raw_add(std::move(terms));
  }

 private:
  double constant_ = 0;
  std::vector<Term> terms_;
  std::unordered_map<const Node*, std::size_t> places_;
};

double folded_power(double base, double exponent) {
  if (base == 0 && exponent < 0) throw Error("There is a division by zero.");
  double value = power_value(base, exponent);
  if (std::isnan(value)) throw Error(fmt::format("({})^{} is not a real number.", base, exponent));
  return finite(value, overflow);
}

}  // namespace

double coefficient_of(const Expression& formula) {
  const Expression& first = formula.kind() == Kind::multiply ? formula.operands().front() : formula;
  return first.is_number() ? first.value() : 1;
}

Term split_coefficient(const Expression& formula) {
  if (formula.is_number()) return {formula.value(), 1.0};
  if (formula.kind() != Kind::multiply || !formula.operands().front().is_number()) return {1, formula};
  auto factors = formula.operands().subspan(1);
  return {coefficient_of(formula),
          factors.size() == 1 ? factors.front() : Node::raw_multiply({factors.begin(), factors.end()})};
}

Expression scale(const Expression& formula, double numerator, double denominator) {
  if (denominator == 0) throw Error("There is a division by zero.");
  auto scaled = [&](double value) { return finite(finite(value * numerator, overflow) / denominator, overflow); };
  if (numerator == denominator) return formula;
  if (formula.is_number()) return scaled(formula.value());
  if (formula.kind() == Kind::add) {
    std::vector<Expression> terms;
    for (const Expression& operand : formula.operands()) terms.push_back(scale(operand, numerator, denominator));
    return add(std::move(terms));
  }
  auto [coefficient, monomial] = split_coefficient(formula);
  return term(scaled(coefficient), monomial);
}

Expression add(std::vector<Expression> terms) {
  LikeTerms like;
  for (const Expression& formula : terms) like.collect(formula);
  return like.total();
}

Expression power(const Expression& base, const Expression& exponent) {
  if (exponent.is_number(0) || base.is_number(1)) return 1.0;
  if (exponent.is_number(1)) return base;
  if (exponent.is_number()) {
    if (base.is_number()) return folded_power(base.value(), exponent.value());
    if (is_integer(exponent.value())) {
      if (base.kind() == Kind::power) return power(base.operands()[0], base.operands()[1] * exponent);
      if (base.kind() == Kind::multiply) {
        std::vector<Expression> factors;
        for (const Expression& factor : base.operands()) factors.push_back(power(factor, exponent));
        return multiply(std::move(factors));
      }
      if (base.kind() == Kind::add) {
        const double common = content(base);
        const double outside = power_value(common, exponent.value());
        if (common != 1 && std::isnormal(outside))
          return scale(Node::raw_power(scale(base, 1, common), exponent), outside);
      }
    }
  }
  return Node::raw_power(base, exponent);
}

Expression operator+(const Expression& a, const Expression& b) { return add({a, b}); }
Expression operator-(const Expression& a, const Expression& b) { return add({a, -b}); }
Expression operator*(const Expression& a, const Expression& b) { return multiply({a, b}); }
Expression operator-(const Expression& a) { return scale(a, -1); }
Expression sqrt(const Expression& a) { return power(a, 0.5); }

Expression operator/(const Expression& a, const Expression& b) {
  return b.is_number() ? scale(a, 1, b.value()) : multiply({a, power(b, -1.0)});
}

}  // namespace gfdt::symbolic

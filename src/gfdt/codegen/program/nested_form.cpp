#include "gfdt/codegen/program/nested_form.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::codegen {
namespace {

using symbolic::Kind;
using Uniform = std::function<bool(const Expression&)>;

/// base^n with a positive integer n ≤ 64 as (base, n); n = 0 for any other factor.
std::pair<Expression, int> whole_power(const Expression& factor) {
  if (factor.kind() != Kind::power) return {factor, 1};
  const Expression& exponent = factor.operands()[1];
  if (!exponent.is_number() || exponent.value() < 1 || exponent.value() > 64 ||
      exponent.value() != static_cast<int>(exponent.value()))
    return {factor, 0};
  return {factor.operands()[0], static_cast<int>(exponent.value())};
}

std::vector<Expression> factors_of(const Expression& e) {
  if (e.kind() == Kind::multiply) return {e.operands().begin(), e.operands().end()};
  return {e};
}

int power_of(const Expression& base, const Expression& product) {
  for (const Expression& factor : factors_of(product)) {
    auto [b, n] = whole_power(factor);
    if (n > 0 && b == base) return n;
  }
  return 0;
}

/// The factor that most terms share, if at least two do; otherwise null.
const Expression* most_shared(const std::vector<ScaledTerm>& terms, std::vector<std::pair<Expression, int>>& counts) {
  counts.clear();
  for (const ScaledTerm& term : terms)
    for (const Expression& factor : factors_of(term.rest)) {
      auto [base, n] = whole_power(factor);
      if (n == 0 || base.is_number()) continue;
      auto known = std::ranges::find(counts, base, &std::pair<Expression, int>::first);
      if (known == counts.end())
        counts.emplace_back(base, 1);
      else
        ++known->second;
    }
  auto best = std::ranges::max_element(counts, {}, &std::pair<Expression, int>::second);
  return best == counts.end() || best->second < 2 ? nullptr : &best->first;
}

Expression nest(std::vector<ScaledTerm> terms) {
  std::vector<std::pair<Expression, int>> counts;
  const Expression* shared = most_shared(terms, counts);
  std::vector<Expression> outside;
  if (!shared) {
    for (const ScaledTerm& term : terms) outside.push_back(term.coefficient * term.rest);
    return symbolic::add(std::move(outside));
  }
  std::vector<ScaledTerm> inside, remaining;
  for (const ScaledTerm& term : terms) {
    if (power_of(*shared, term.rest) > 0)
      inside.push_back({term.coefficient, term.rest / *shared});
    else
      remaining.push_back(term);
  }
  return nest(std::move(remaining)) + *shared * nest(std::move(inside));
}

class Nesting {
 public:
  explicit Nesting(const Uniform& uniform) : uniform_(uniform) {}

  Expression operator()(const Expression& e) {
    if (e.operands().empty() || uniform_(e)) return e;
    if (auto known = done_.find(e); known != done_.end()) return known->second;
    std::vector<Expression> parts;
    for (const Expression& part : e.operands()) parts.push_back((*this)(part));
    Expression result = e.kind() == Kind::add ? nested_sum(parts) : symbolic::rebuild(e, std::move(parts));
    done_.emplace(e, result);
    return result;
  }

 private:
  Expression nested_sum(const std::vector<Expression>& parts) {
    std::vector<ScaledTerm> terms;
    for (const Expression& part : parts) {
      ScaledTerm term = split_uniform(part, uniform_);
      auto known = std::ranges::find(terms, term.rest, &ScaledTerm::rest);
      if (known == terms.end())
        terms.push_back(term);
      else
        known->coefficient = known->coefficient + term.coefficient;
    }
    return nest(std::move(terms));
  }

  const Uniform& uniform_;
  std::unordered_map<Expression, Expression, symbolic::ExpressionHash> done_;
};

}  // namespace

ScaledTerm split_uniform(const Expression& term, const Uniform& uniform) {
  if (uniform(term)) return {term, 1.0};
  if (term.kind() != Kind::multiply) return {1.0, term};
  std::vector<Expression> coefficient, rest;
  for (const Expression& factor : term.operands()) (uniform(factor) ? coefficient : rest).push_back(factor);
  return {symbolic::multiply(std::move(coefficient)), symbolic::multiply(std::move(rest))};
}

Expression nested_form(const Expression& formula, const Uniform& uniform) { return Nesting(uniform)(formula); }

}  // namespace gfdt::codegen

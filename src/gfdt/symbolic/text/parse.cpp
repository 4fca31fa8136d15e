#include "gfdt/symbolic/text/parse.hpp"

#include <fmt/format.h>

#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/text/parser.hpp"

namespace gfdt::symbolic {
namespace {

constexpr int deepest_nesting = 200;

Expression compared(const Expression& a, TokenKind relation, const Expression& b) {
  switch (relation) {
    case TokenKind::less:
      return call(Function::less, {a, b});
    case TokenKind::less_equal:
      return call(Function::less_equal, {a, b});
    case TokenKind::greater:
      return call(Function::less, {b, a});
    case TokenKind::greater_equal:
      return call(Function::less_equal, {b, a});
    case TokenKind::equal:
      return call(Function::equal, {a, b});
    default:
      return call(Function::logical_not, {call(Function::equal, {a, b})});
  }
}

}  // namespace

class Parser::Nested {
 public:
  explicit Nested(Parser& parser) : depth_(parser.depth_) {
    if (depth_ == deepest_nesting)
      parser.fail(fmt::format("The formula is nested more than {} levels deep here.", deepest_nesting),
                  parser.token_.offset);
    ++depth_;
  }
  ~Nested() { --depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  int& depth_;
};

Parser::Parser(std::string_view text, const Scope& scope, const Origin& origin, std::vector<Index> open)
    : lexer_(text, origin), scope_(scope), open_(std::move(open)) {
  advance();
}

Expression Parser::formula() {
  if (at(TokenKind::end)) fail("The formula is empty.", 0);
  Expression result = disjunction();
  if (at(TokenKind::close)) fail("This ')' closes nothing.", token_.offset);
  if (!at(TokenKind::end)) fail_after_operand();
  return result;
}

template <class Operand>
Expression Parser::connected(std::string_view word, Function function, const Operand& operand) {
  std::vector<Expression> operands{operand()};
  const std::size_t offset = token_.offset;
  while (at_word(word)) {
    advance();
    operands.push_back(operand());
  }
  if (operands.size() == 1) return operands.front();
  return placed(offset, [&] { return call(function, std::move(operands)); });
}

Expression Parser::disjunction() {
  Nested nested(*this);
  return connected("or", Function::logical_or, [this] { return conjunction(); });
}

Expression Parser::conjunction() {
  return connected("and", Function::logical_and, [this] { return negation(); });
}

Expression Parser::negation() {
  const std::size_t offset = token_.offset;
  int count = 0;
  for (; at_word("not"); advance()) ++count;
  Expression result = comparison();
  for (int i = count > 2 ? 2 + count % 2 : count; i > 0; --i)
    result = placed(offset, [&] { return call(Function::logical_not, {result}); });
  return result;
}

Expression Parser::comparison() {
  Expression left = terms();
  if (!at_comparison()) return left;
  std::vector<Expression> comparisons;
  while (at_comparison()) {
    const TokenKind relation = token_.kind;
    const std::size_t offset = take();
    Expression right = terms();
    comparisons.push_back(placed(offset, [&] { return compared(left, relation, right); }));
    left = right;
  }
  return comparisons.size() == 1 ? comparisons.front() : call(Function::logical_and, std::move(comparisons));
}

Expression Parser::terms() {
  std::vector<Expression> operands{product()};
  const std::size_t offset = token_.offset;
  while (at(TokenKind::plus) || at(TokenKind::minus)) {
    const bool negative = at(TokenKind::minus);
    advance();
    Expression next = product();
    operands.push_back(negative ? -next : next);
  }
  if (operands.size() == 1) return operands.front();
  return placed(offset, [&] { return add(std::move(operands)); });
}

/// Numbers are collected separately and applied last, so that 5*x/3 has the coefficient 5/3, rounded once.
Expression Parser::product() {
  Expression first = with_sign();
  if (!at(TokenKind::times) && !at(TokenKind::divide)) return first;
  const std::size_t start = token_.offset;
  double numerator = 1, denominator = 1;
  std::vector<Expression> factors;
  auto gather = [&](const Expression& factor, bool divides, std::size_t offset) {
    if (factor.is_number()) {
      if (divides && factor.is_number(0)) fail("There is a division by zero.", offset);
      (divides ? denominator : numerator) *= factor.value();
    } else {
      factors.push_back(divides ? placed(offset, [&] { return power(factor, -1.0); }) : factor);
    }
  };
  gather(first, false, start);
  while (at(TokenKind::times) || at(TokenKind::divide)) {
    const bool divides = at(TokenKind::divide);
    const std::size_t offset = take();
    gather(with_sign(), divides, offset);
  }
  return placed(start, [&] { return scale(multiply(std::move(factors)), numerator, denominator); });
}

Expression Parser::with_sign() {
  bool negative = false;
  for (; at(TokenKind::plus) || at(TokenKind::minus); advance()) negative = negative != at(TokenKind::minus);
  Expression operand = raised();
  return negative ? -operand : operand;
}

Expression Parser::raised() {
  Expression base = operand();
  if (!at(TokenKind::raise)) return base;
  Nested nested(*this);
  const std::size_t offset = take();
  Expression exponent = with_sign();
  return placed(offset, [&] { return power(base, exponent); });
}

Expression Parser::operand() {
  if (at(TokenKind::number)) {
    const double value = token_.value;
    advance();
    return value;
  }
  if (at(TokenKind::open)) {
    const std::size_t opening = take();
    if (at(TokenKind::close)) fail("There is nothing between the parentheses.", opening);
    if (at(TokenKind::end)) fail("This '(' is never closed.", opening);
    Expression inner = disjunction();
    expect_close(TokenKind::close, opening, '(');
    return inner;
  }
  if (at(TokenKind::name) && !at_word("and") && !at_word("or") && !at_word("not")) return named();
  fail(fmt::format("A number, a name or '(' is missing before {}.", quoted()), token_.offset);
}

std::size_t Parser::take() {
  const std::size_t offset = token_.offset;
  advance();
  return offset;
}

void Parser::expect_close(TokenKind kind, std::size_t opening, char opened) {
  if (at(TokenKind::end)) fail(fmt::format("This '{}' is never closed.", opened), opening);
  if (!at(kind)) fail_after_operand();
  advance();
}

std::string Parser::quoted() const {
  return at(TokenKind::end) ? "the end of the formula" : fmt::format("'{}'", token_.text.substr(0, 40));
}

void Parser::fail_after_operand() const {
  if (at(TokenKind::open) || at(TokenKind::name) || at(TokenKind::number))
    fail(fmt::format("There is no operator before {}; a product is written with *.", quoted()), token_.offset);
  fail(fmt::format("{} does not fit here.", quoted()), token_.offset);
}

Expression parse(std::string_view text, const Scope& scope, const Origin& origin, const std::vector<Index>& open) {
  return Parser(text, scope, origin, open).formula();
}

}  // namespace gfdt::symbolic

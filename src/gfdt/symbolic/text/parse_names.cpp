#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

#include "gfdt/base/nearest.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/language.hpp"
#include "gfdt/symbolic/text/parser.hpp"

namespace gfdt::symbolic {
namespace {

/// Text of a field with its indices: X[k], Y[j,k+1].
std::string spelled(std::string_view field, const std::vector<Index>& indices, std::string_view offset = "") {
  std::vector<std::string_view> names;
  for (const Index& index : indices) names.push_back(index.name);
  return fmt::format("{}[{}{}]", field, fmt::join(names, ","), offset);
}

}  // namespace

Expression Parser::named() {
  const Token name = token_;
  advance();
  if (name.text == "pi") return std::numbers::pi;
  if (name.text == "sum" || name.text == "mean") return over_sites(name);
  if (name.text == "sqrt" || function_of_name(name.text)) return function(name);
  std::optional<Definition> definition = scope_.find(std::string(name.text));
  if (at(TokenKind::open)) fail_not_a_function(name, definition.has_value());
  if (!definition) fail_unknown(name);
  return site(name, *definition);
}

void Parser::expect_open(const Token& name) {
  if (!at(TokenKind::open))
    fail(fmt::format("{} is a function: its arguments follow in parentheses, {}(...).", name.text, name.text),
         name.offset);
}

Expression Parser::function(const Token& name) {
  expect_open(name);
  const std::size_t opening = take();
  std::vector<Expression> arguments;
  if (!at(TokenKind::close)) {
    if (at(TokenKind::end)) fail("This '(' is never closed.", opening);
    arguments.push_back(disjunction());
    while (at(TokenKind::comma)) {
      advance();
      arguments.push_back(disjunction());
    }
  }
  expect_close(TokenKind::close, opening, '(');
  if (name.text == "min" || name.text == "max") {
    if (arguments.size() < 2)
      fail(fmt::format("{} takes two or more arguments, not {}.", name.text, arguments.size()), name.offset);
    Expression result = arguments.front();
    for (std::size_t i = 1; i < arguments.size(); ++i)
      result = placed(name.offset, [&] { return call(*function_of_name(name.text), {result, arguments[i]}); });
    return result;
  }
  if (arguments.size() != 1)
    fail(fmt::format("{} takes one argument, not {}.", name.text, arguments.size()), name.offset);
  return placed(name.offset, [&] {
    return name.text == "sqrt" ? sqrt(arguments[0]) : call(*function_of_name(name.text), {arguments[0]});
  });
}

Expression Parser::over_sites(const Token& name) {
  expect_open(name);
  const std::size_t opening = take();
  const Token word = token_;
  std::optional<Index> index = at(TokenKind::name) ? scope_.index(std::string(word.text)) : std::nullopt;
  if (!index) {
    std::string hint = at(TokenKind::name) ? suggestion(word.text, scope_.names()) : "";
    fail(fmt::format("{} takes an index and then a formula, as in {}(k, X[k]); {} is not an index.{}", name.text,
                     name.text, quoted(), hint),
         word.offset);
  }
  advance();
  if (!at(TokenKind::comma))
    fail(fmt::format("{} takes an index and then a formula, as in {}({}, ...).", name.text, name.text, index->name),
         token_.offset);
  advance();
  open_.push_back(*index);
  Expression body = disjunction();
  open_.pop_back();
  expect_close(TokenKind::close, opening, '(');
  return placed(name.offset, [&] { return name.text == "sum" ? sum(*index, body) : mean(*index, body); });
}

bool Parser::is_open(const Index& index) const {
  return std::ranges::find(open_, index.name, &Index::name) != open_.end();
}

Expression Parser::site(const Token& name, const Definition& definition) {
  if (definition.indices.empty()) {
    if (at(TokenKind::open_site))
      fail(fmt::format("{} has no sites: it is written without brackets.", name.text), name.offset);
    return definition.formula;
  }
  const std::string right = spelled(name.text, definition.indices);
  if (!at(TokenKind::open_site))
    fail(fmt::format("{} is a field: write {}, or {} for a neighbour.", name.text, right,
                     spelled(name.text, definition.indices, "+1")),
         name.offset);
  const std::size_t opening = take();
  Expression result = definition.formula;
  for (std::size_t i = 0; i < definition.indices.size(); ++i) {
    if (i > 0) {
      if (!at(TokenKind::comma))
        fail(fmt::format("{} takes {} indices: write {}.", name.text, definition.indices.size(), right), token_.offset);
      advance();
    }
    const Index& index = definition.indices[i];
    const int offset = site_offset(name, definition, index);
    result = placed(name.offset, [&] { return shift(result, index.name, offset); });
  }
  if (at(TokenKind::comma)) fail(fmt::format("{} has fewer indices: write {}.", name.text, right), token_.offset);
  expect_close(TokenKind::close_site, opening, '[');
  return result;
}

int Parser::site_offset(const Token& name, const Definition& definition, const Index& index) {
  const std::string right = spelled(name.text, definition.indices);
  if (at(TokenKind::number) || at(TokenKind::plus) || at(TokenKind::minus))
    fail(fmt::format("A site of {} is written relative to the formula's own, {} or {}, not by its number.", name.text,
                     right, spelled(name.text, definition.indices, "+1")),
         token_.offset);
  if (!at_word(index.name))
    fail(fmt::format("{} does not fit here: {} is written {}.", quoted(), name.text, right), token_.offset);
  if (!is_open(index))
    fail(fmt::format("This formula is not one per site of {}: use sum({}, ...) or mean({}, ...) over its sites.",
                     index.name, index.name, index.name),
         token_.offset);
  advance();
  if (!at(TokenKind::plus) && !at(TokenKind::minus)) return 0;
  const int sign = at(TokenKind::plus) ? 1 : -1;
  advance();
  constexpr double largest = 1e9;
  const bool whole = at(TokenKind::number) && token_.value <= largest && token_.value == static_cast<int>(token_.value);
  if (!whole)
    fail(fmt::format("The neighbour of a site is a whole number away, as in {}+1.", index.name), token_.offset);
  const int offset = sign * static_cast<int>(token_.value);
  advance();
  return offset;
}

void Parser::fail_not_a_function(const Token& name, bool known) const {
  if (known)
    fail(fmt::format("{} is not a function; a product is written {}*(...).", name.text, name.text), name.offset);
  fail(fmt::format("There is no function {}.{}", name.text, suggestion(name.text, callable_names())), name.offset);
}

void Parser::fail_unknown(const Token& name) const {
  const std::string word(name.text);
  if (scope_.index(word))
    fail(fmt::format("{} is an index, not a number: it stands in brackets, as in X[{}].", word, word), name.offset);
  std::vector<std::string> known = scope_.names();
  known.emplace_back("pi");
  const std::string remedy = scope_.remedy(word);
  fail(fmt::format("The name {} is not known.{}", word, remedy.empty() ? suggestion(word, known) : remedy),
       name.offset);
}

}  // namespace gfdt::symbolic

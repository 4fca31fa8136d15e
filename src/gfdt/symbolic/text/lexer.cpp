#include "gfdt/symbolic/text/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace gfdt::symbolic {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: invalid UTF-8
};

Character decode(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xC2 && lead < 0xE0   ? 2
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xF0 && lead < 0xF5 ? 4
                                                          : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return overlong || surrogate || code > 0x10FFFF ? Character{} : Character{code, bytes};
}

/// Letters and subscripts of all scripts; not punctuation, superscripts, arrows or mathematical operators.
bool is_foreign_letter(std::uint32_t code) {
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 12> others{{{0x80, 0xA9},
                                                                            {0xAB, 0xB4},
                                                                            {0xB6, 0xB9},
                                                                            {0xBB, 0xBF},
                                                                            {0xD7, 0xD7},
                                                                            {0xF7, 0xF7},
                                                                            {0x2000, 0x207F},
                                                                            {0x20A0, 0x20CF},
                                                                            {0x2190, 0x2BFF},
                                                                            {0x3000, 0x3004},
                                                                            {0xD800, 0xF8FF},
                                                                            {0xFE00, 0xFFFF}}};
  return code >= 0x80 &&
         std::ranges::none_of(others, [&](auto range) { return code >= range.first && code <= range.second; });
}

/// Operators of other languages and of mathematical notation, with their equivalents here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> mistaken{{
    {"**", "^"},
    {"&&", "and"},
    {"||", "or"},
    {"&", "and"},
    {"|", "or"},
    {"!", "not"},
    {"=", "=="},
    {"<>", "!="},
    {"×", "*"},
    {"·", "*"},
    {"⋅", "*"},
    {"÷", "/"},
    {"−", "-"},
    {"–", "-"},
    {"≤", "<="},
    {"≥", ">="},
    {"≠", "!="},
    {"√", "sqrt"},
}};

constexpr std::array<std::pair<std::string_view, TokenKind>, 16> operations{{
    {"<=", TokenKind::less_equal},
    {">=", TokenKind::greater_equal},
    {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},
    {"+", TokenKind::plus},
    {"-", TokenKind::minus},
    {"*", TokenKind::times},
    {"/", TokenKind::divide},
    {"^", TokenKind::raise},
    {"(", TokenKind::open},
    {")", TokenKind::close},
    {"[", TokenKind::open_site},
    {"]", TokenKind::close_site},
    {",", TokenKind::comma},
    {"<", TokenKind::less},
    {">", TokenKind::greater},
}};

}  // namespace

std::size_t name_character(std::string_view text, bool first) {
  if (text.empty()) return 0;
  if (is_ascii_letter(text[0]) || (!first && is_digit(text[0]))) return 1;
  Character character = decode(text);
  return character.bytes > 0 && is_foreign_letter(character.code) ? character.bytes : 0;
}

void Lexer::fail(const std::string& message, std::size_t offset) const {
  throw InputError(message, place_within(origin_, text_, offset));
}

Token Lexer::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
  if (at_ == text_.size()) return {TokenKind::end, at_, "", 0};
  std::string_view rest = text_.substr(at_);
  if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))) return number();
  if (name_character(rest, true) > 0) return name();
  return operation();
}

Token Lexer::number() {
  Token token{TokenKind::number, at_, {}, 0};
  auto [stop, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), token.value);
  token.text = text_.substr(at_, static_cast<std::size_t>(stop - text_.data()) - at_);
  if (problem != std::errc())
    fail(fmt::format("The number {} does not fit into double precision.", token.text.substr(0, 40)), at_);
  at_ += token.text.size();
  std::string_view rest = text_.substr(at_);
  if (rest.starts_with('.')) fail("A number has two decimal points.", at_);
  if (name_character(rest, true) > 0) {
    std::string_view word = rest.substr(0, std::min<std::size_t>(name().text.size(), 40));
    fail(fmt::format("A product needs its sign: write {}*{}.", token.text.substr(0, 40), word),
         token.offset + token.text.size());
  }
  return token;
}

Token Lexer::name() {
  Token token{TokenKind::name, at_, {}, 0};
  for (std::size_t bytes = name_character(text_.substr(at_), true); bytes > 0;
       bytes = name_character(text_.substr(at_), false))
    at_ += bytes;
  token.text = text_.substr(token.offset, at_ - token.offset);
  return token;
}

Token Lexer::operation() {
  std::string_view rest = text_.substr(at_);
  for (auto [sign, meant] : mistaken)
    if (rest.starts_with(sign) && !rest.starts_with("!=") && !rest.starts_with("=="))
      fail(fmt::format("'{}' is written {} in a formula.", sign, meant), at_);
  for (auto [sign, kind] : operations)
    if (rest.starts_with(sign)) {
      Token token{kind, at_, rest.substr(0, sign.size()), 0};
      at_ += sign.size();
      return token;
    }
  fail_at_character(at_);
}

void Lexer::fail_at_character(std::size_t offset) const {
  Character character = decode(text_.substr(offset));
  if (character.bytes == 0) fail("The formula is not valid UTF-8 here.", offset);
  if (character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0))
    fail(fmt::format("There is a control character (code {}) in the formula.", character.code), offset);
  if (character.code == 0xB2 || character.code == 0xB3)
    fail(fmt::format("A power is written ^{} in a formula.", character.code - 0xB0), offset);
  fail(fmt::format("'{}' means nothing in a formula.", text_.substr(offset, character.bytes)), offset);
}

}  // namespace gfdt::symbolic

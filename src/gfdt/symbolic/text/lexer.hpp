#pragma once

#include <string>
#include <string_view>

#include "gfdt/base/error.hpp"

namespace gfdt::symbolic {

// clang-format off
enum class TokenKind {
  end, number, name,
  plus, minus, times, divide, raise, open, close, open_site, close_site, comma,
  less, less_equal, greater, greater_equal, equal, not_equal,
};
// clang-format on

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;  ///< offset of the first byte
  std::string_view text;
  double value = 0;  ///< value of a number
};

/// Splits a formula into tokens.
class Lexer {
 public:
  Lexer(std::string_view text, const Origin& origin) : text_(text), origin_(origin) {}

  Token next();
  [[noreturn]] void fail(const std::string& message, std::size_t offset) const;

 private:
  Token number();
  Token name();
  Token operation();
  [[noreturn]] void fail_at_character(std::size_t offset) const;

  std::string_view text_;
  const Origin& origin_;
  std::size_t at_ = 0;
};

/// Number of bytes of the letter, digit or underscore at the start of a text; 0 for any other character. A digit counts
/// only after the first character of a name.
std::size_t name_character(std::string_view text, bool first);

}  // namespace gfdt::symbolic

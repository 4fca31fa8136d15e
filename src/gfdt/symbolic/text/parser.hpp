#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/symbolic/text/lexer.hpp"
#include "gfdt/symbolic/text/parse.hpp"

namespace gfdt::symbolic {

/// Recursive-descent parser. Precedence, from lowest: or, and, not, comparison, sum, product, sign, power.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, const Origin& origin, std::vector<Index> open);
  Expression formula();

 private:
  class Nested;

  Expression disjunction();
  Expression conjunction();
  Expression negation();
  Expression comparison();
  Expression terms();
  Expression product();
  Expression with_sign();
  Expression raised();
  Expression operand();

  Expression named();
  Expression function(const Token& name);
  Expression over_sites(const Token& name);
  Expression site(const Token& name, const Definition& definition);
  int site_offset(const Token& name, const Definition& definition, const Index& index);

  void advance() { token_ = lexer_.next(); }
  std::size_t take();
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::name) && token_.text == word; }
  bool at_comparison() const { return token_.kind >= TokenKind::less && token_.kind <= TokenKind::not_equal; }
  bool is_open(const Index& index) const;

  void expect_open(const Token& name);
  void expect_close(TokenKind kind, std::size_t opening, char opened);
  std::string quoted() const;
  [[noreturn]] void fail(const std::string& message, std::size_t offset) const { lexer_.fail(message, offset); }
  [[noreturn]] void fail_after_operand() const;
  [[noreturn]] void fail_not_a_function(const Token& name, bool known) const;
  [[noreturn]] void fail_unknown(const Token& name) const;

  /// Adds the position to an error thrown by the construction of a formula.
  template <class Construct>
  Expression placed(std::size_t offset, const Construct& construct) const {
    try {
      return construct();
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      fail(error.what(), offset);
    }
  }

  template <class Operand>
  Expression connected(std::string_view word, Function function, const Operand& operand);

  Lexer lexer_;
  const Scope& scope_;
  std::vector<Index> open_;
  Token token_;
  int depth_ = 0;
};

}  // namespace gfdt::symbolic

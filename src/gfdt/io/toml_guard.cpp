#include "gfdt/io/toml_guard.hpp"

#include <fmt/format.h>

#include <cctype>

namespace gfdt::io {
namespace {

/// toml++ 3.3 builds and takes apart a key `a.a.a...` by recursion and runs out of stack on a long one.
void refuse_deep_keys(const SourceText& source) {
  constexpr int most_parts = 64;
  const auto in_key = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '-' || c == '"' || c == '\'';
  };
  int parts = 0;
  bool part = false;
  for (std::size_t i = 0; i < source.text().size(); ++i) {
    const char c = source.text()[i];
    if (c == '.') {
      parts = part ? parts + 1 : 0;
      part = false;
    } else if (in_key(c)) {
      part = true;
    } else if (c != ' ' && c != '\t') {
      parts = 0;
      part = false;
    }
    if (parts > most_parts) throw InputError(fmt::format("A key has more than {} parts.", most_parts), source.place(i));
  }
}

/// Outside of strings and comments TOML is ASCII; toml++ goes astray when it looks for white space among other
/// characters.
void refuse_stray_characters(const SourceText& source) {
  const std::string& text = source.text();
  std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  std::string quote;  // what ends the string at hand; empty outside of strings
  bool comment = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (comment) {
      comment = c != '\n';
    } else if (!quote.empty()) {
      if (c == '\\' && quote[0] == '"') {
        ++i;
      } else if (text.compare(i, quote.size(), quote) == 0) {
        i += quote.size() - 1;
        quote.clear();
      } else if (c == '\n' && quote.size() == 1) {
        quote.clear();
      }
    } else if (c == '"' || c == '\'') {
      quote = text.compare(i, 3, std::string(3, c)) == 0 ? std::string(3, c) : std::string(1, c);
      i += quote.size() - 1;
    } else if (c == '#') {
      comment = true;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      throw InputError(
          "A character beyond ASCII stands outside of quotes; a name such as \"σ\" is written in quotes here.",
          source.place(i));
    }
  }
}

}  // namespace

void refuse_what_toml_cannot_take(const SourceText& source) {
  refuse_deep_keys(source);
  refuse_stray_characters(source);
}

}  // namespace gfdt::io

#include "gfdt/symbolic/text/language.hpp"

#include <algorithm>
#include <array>

#include "gfdt/symbolic/text/lexer.hpp"
#include "gfdt/symbolic/text/parse.hpp"

namespace gfdt::symbolic {

std::optional<Function> function_of_name(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Function::max); ++i)
    if (name == function_name(static_cast<Function>(i))) return static_cast<Function>(i);
  return std::nullopt;
}

const std::vector<std::string>& callable_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"sqrt", "sum", "mean"};
    for (int i = 0; i <= static_cast<int>(Function::max); ++i)
      all.emplace_back(function_name(static_cast<Function>(i)));
    return all;
  }();
  return names;
}

bool is_reserved(std::string_view text) {
  constexpr std::array<std::string_view, 4> words{"pi", "and", "or", "not"};
  return std::ranges::find(words, text) != words.end() ||
         std::ranges::find(callable_names(), text) != callable_names().end();
}

bool is_name(std::string_view text) {
  if (text.empty() || is_reserved(text)) return false;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t bytes = name_character(text.substr(at), at == 0);
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

}  // namespace gfdt::symbolic

#include "gfdt/io/options_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gfdt/core/nearest.hpp"

namespace gfdt::io {

void fail_choice(const TomlValue& value, const std::string& what, const std::vector<std::string>& choices) {
  throw InputError(fmt::format("{}: '{}' is not one of {}.{}", what, value.text, fmt::join(choices, ", "),
                               suggestion(value.text, choices)),
                   value.text_place.origin());
}

std::size_t mention(const std::string& sentence, const std::string& key) {
  std::size_t first = sentence.find(key);
  for (char joint : {'-', ' '}) {
    std::string spoken = key;
    std::ranges::replace(spoken, '_', joint);
    first = std::min(first, sentence.find(spoken));
  }
  return first;
}

}  // namespace gfdt::io

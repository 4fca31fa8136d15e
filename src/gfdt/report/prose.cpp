#include "gfdt/report/prose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace gfdt::report {
namespace {

std::vector<std::string> split(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t found; (found = text.find(separator, from)) != std::string::npos; from = found + separator.size())
    parts.push_back(text.substr(from, found - from));
  parts.push_back(text.substr(from));
  return parts;
}

bool is_item(const std::string& part) { return !part.empty() && part.find(' ') == std::string::npos; }

/// The end of an enumeration with the words that follow it: "y and z are known".
struct Tail {
  std::size_t items;
  std::string rest;
};

/// The end of the word that begins at `from`, without the punctuation after it.
std::size_t end_of_word(const std::string& text, std::size_t from) {
  std::size_t end = std::min(text.find(' ', from), text.size());
  while (end > from && std::string_view(".,:;!?)").find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

Tail tail_of(const std::string& part) {
  const std::size_t first = end_of_word(part, 0);
  constexpr std::string_view conjunction = " and ";
  if (part.compare(first, conjunction.size(), conjunction) != 0) return {1, part.substr(first)};
  return {2, part.substr(end_of_word(part, first + conjunction.size()))};
}

/// A list of the parts [first, last], of which the outer ones may contain other words as well.
std::string shortened(const std::vector<std::string>& parts, std::size_t first, std::size_t last,
                      std::string_view separator) {
  const Tail tail = tail_of(parts[last]);
  const std::size_t items = last - first + tail.items;
  if (items <= longest_list)
    return fmt::format("{}", fmt::join(parts.begin() + static_cast<std::ptrdiff_t>(first),
                                       parts.begin() + static_cast<std::ptrdiff_t>(last) + 1, separator));
  std::string text;
  for (std::size_t i = first; i < first + items_kept; ++i) text += parts[i] + std::string(separator);
  return text + fmt::format("… and {} more{}", items - items_kept, tail.rest);
}

std::string with_short_lists(const std::string& text, std::string_view separator) {
  const std::vector<std::string> parts = split(text, separator);
  std::string result;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t last = i;
    while (last + 2 < parts.size() && is_item(parts[last + 1])) ++last;
    if (last > i) ++last;  // with words after it
    if (i > 0) result += separator;
    result += shortened(parts, i, last, separator);
    i = last + 1;
  }
  return result;
}

}  // namespace

std::string with_short_lists(const std::string& text) { return with_short_lists(with_short_lists(text, ", "), " : "); }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace gfdt::report

#include "gfdt/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/utf8.hpp"

namespace gfdt {
namespace {

constexpr int longest_excerpt = 160;

using utf8::continues;

/// Replaces control characters and bytes that are not valid UTF-8.
std::string printable(std::string_view text, char replacement) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = utf8::character_bytes(text);
    if (bytes == 0 || utf8::starts_with_control(text))
      result += replacement;
    else
      result += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

/// Replaces the middle of a very long word with an ellipsis.
std::string shortened(std::string_view word) {
  constexpr std::size_t most = 300, kept = 100;
  if (word.size() <= most) return std::string(word);
  std::size_t head = kept, tail = word.size() - kept;
  while (continues(word[head])) --head;
  while (tail < word.size() && continues(word[tail])) ++tail;
  return fmt::format("{}…{}", word.substr(0, head), word.substr(tail));
}

/// Cuts a long source line to a window around the error, so that a line of a megabyte gives a readable message.
std::string excerpt(const Origin& place) {
  std::size_t begin = 0;
  for (int column = 1; column < place.column && begin < place.source_line.size(); ++begin)
    if (begin + 1 >= place.source_line.size() || !continues(place.source_line[begin + 1])) ++column;
  int caret = place.column - 1;
  std::size_t start = 0;
  if (begin > longest_excerpt / 2) {
    start = begin - longest_excerpt / 2;
    while (start < begin && continues(place.source_line[start])) ++start;
    caret = 0;
    for (std::size_t i = start; i < begin; ++i) caret += continues(place.source_line[i]) ? 0 : 1;
  }
  std::string_view line = std::string_view(place.source_line).substr(start, longest_excerpt);
  while (!line.empty() && start + line.size() < place.source_line.size() &&
         continues(place.source_line[start + line.size()]))
    line.remove_suffix(1);
  return fmt::format("\n  {}\n  {}^", printable(line, ' '),
                     std::string(static_cast<std::size_t>(std::max(caret, 0)), ' '));
}

std::string describe(const std::string& message, const Origin& place) {
  std::string text = fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, message);
  if (!place.source_line.empty()) text += excerpt(place);
  return text;
}

}  // namespace

std::string fit_for_a_terminal(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    result += printable(shortened(text.substr(0, end)), '?');
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

Error::Error(const std::string& sentence) : std::runtime_error(fit_for_a_terminal(sentence)) {}

InputError::InputError(const std::string& message, Origin place)
    : Error(describe(message, place)), message_(message), place_(std::move(place)) {}

Origin place_within(const Origin& start, std::string_view text, std::size_t offset) {
  Origin place = start;
  std::size_t line_begin = 0;
  bool same_line = true;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = 1;
      line_begin = i + 1;
      same_line = false;
    } else if (i + 1 >= text.size() || !continues(text[i + 1])) {
      ++place.column;
    }
  }
  if (!same_line || place.source_line.empty()) {
    place.source_line = std::string(text.substr(line_begin, text.find('\n', line_begin) - line_begin));
    if (same_line) place.column -= start.column - 1;
  }
  return place;
}

}  // namespace gfdt

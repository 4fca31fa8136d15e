#include "styled_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace gfdt::app {
namespace {

Colours wanted_colours = Colours::automatic;

constexpr char escape = '\033';

const char* code(Style style) {
  switch (style) {
    case Style::good:
      return "32";
    case Style::bad:
      return "31";
    case Style::warning:
      return "33";
    case Style::dim:
      return "2";
    case Style::strong:
      return "1";
  }
  return "0";
}

/// The end of the style that begins at `at`.
std::size_t end_of_style(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

struct Character {
  char32_t code;
  std::size_t bytes;
};

/// The character at `at`; a byte that begins none is one for itself.
Character character(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {first, 1};
  char32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0U) != 0x80) return {first, 1};
    code = code << 6U | (next & 0x3FU);
  }
  return {code, bytes};
}

using Range = std::pair<char32_t, char32_t>;

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return code >= range.first && code <= range.second; });
}

std::size_t columns_taken(char32_t code) {
  // Marks that combine with the letter before them, joiners and variation selectors.
  constexpr std::array<Range, 8> none{{{0x300, 0x36F},
                                       {0x483, 0x489},
                                       {0x1AB0, 0x1AFF},
                                       {0x1DC0, 0x1DFF},
                                       {0x200B, 0x200F},
                                       {0x20D0, 0x20FF},
                                       {0xFE00, 0xFE0F},
                                       {0xFE20, 0xFE2F}}};
  constexpr std::array<Range, 9> two{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
  return within(none, code) ? 0 : within(two, code) ? 2 : 1;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::string styled(Style style, std::string_view text) {
  return fmt::format("{0}[{1}m{2}{0}[0m", escape, code(style), text);
}

std::string without_styles(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == escape)
      at = end_of_style(text, at);
    else
      plain += text[at++];
  }
  return plain;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == escape) {
      at = end_of_style(text, at);
      continue;
    }
    const Character next = character(text, at);
    width += columns_taken(next.code);
    at += next.bytes;
  }
  return width;
}

void set_colours(Colours wanted) { wanted_colours = wanted; }

bool shows_colours(std::FILE* file) {
  if (wanted_colours != Colours::automatic) return wanted_colours == Colours::always;
  const std::string terminal = variable("TERM");
  return variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb" && isatty(fileno(file)) != 0;
}

std::size_t columns_of(std::FILE* file) {
  if (const long asked = std::strtol(variable("COLUMNS").c_str(), nullptr, 10); asked > 0)
    return static_cast<std::size_t>(asked);
  winsize size{};
  if (isatty(fileno(file)) == 0 || ioctl(fileno(file), TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;
    std::ranges::transform(value, value.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

void put(std::FILE* file, std::string_view text) {
  if (shows_colours(file))
    std::fwrite(text.data(), 1, text.size(), file);
  else
    std::fputs(without_styles(text).c_str(), file);
}

std::string paragraph(std::string_view lead, std::string_view text, std::size_t limit) {
  constexpr std::size_t narrowest = 20;  // of the text: below that lines are left to the terminal
  const std::size_t indent = display_width(lead);
  const bool breaks = limit >= indent + narrowest;
  std::string lines(lead);
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t width = display_width(word);
    if (breaks && column > indent && column + 1 + width > limit) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += width;
    at = end + 1;
  }
  return lines + "\n";
}

void put_paragraph(std::FILE* file, std::string_view lead, std::string_view text) {
  put(file, paragraph(lead, text, columns_of(file)));
}

}  // namespace gfdt::app

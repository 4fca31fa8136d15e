#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace gfdt::app {

enum class Style { good, bad, warning, dim, strong };

/// Text with a style. `put` and `say` remove styles if the output does not support them.
std::string styled(Style style, std::string_view text);
std::string without_styles(std::string_view text);

/// Width of a text in terminal columns: combining marks and styles count zero, wide East Asian characters two.
std::size_t display_width(std::string_view text);

enum class Colours { automatic, always, never };
/// Sets the choice of --color. Automatic: on a terminal, unless NO_COLOR is set or TERM is dumb.
void set_colours(Colours wanted);
bool shows_colours(std::FILE* file);
/// Columns of the terminal, or the value of the variable COLUMNS; 0 if there is no limit.
std::size_t columns_of(std::FILE* file);
/// Whether the locale has characters beyond ASCII.
bool shows_unicode();

void put(std::FILE* file, std::string_view text);
template <class... Values>
void say(std::FILE* file, fmt::format_string<Values...> format, Values&&... values) {
  put(file, fmt::format(format, std::forward<Values>(values)...));
}

/// A paragraph after `lead`; where there is a limit of columns (0: none) it is broken between words, and further lines
/// begin below the text.
std::string paragraph(std::string_view lead, std::string_view text, std::size_t limit);
void put_paragraph(std::FILE* file, std::string_view lead, std::string_view text);

}  // namespace gfdt::app

#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace gfdt::app {

enum class Style { good, bad, warning, dim, strong };

/// Text with a style in it. It goes out through `put` and `say`, which take styles off where they are not to be seen.
std::string styled(Style style, std::string_view text);
std::string without_styles(std::string_view text);

/// Columns that a text takes on a terminal: characters, not bytes; none for marks upon letters and for styles, two for
/// those of East Asia.
std::size_t display_width(std::string_view text);

enum class Colours { automatic, always, never };
/// What --color asks for. Left to itself: on a terminal, unless NO_COLOR is set or TERM is dumb.
void set_colours(Colours wanted);
bool shows_colours(std::FILE* file);
/// Columns of the terminal, or as many as the variable COLUMNS asks for; 0 where there is no limit.
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

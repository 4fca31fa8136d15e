#pragma once

#include <string>

namespace gfdt::report {

/// Text between tags.
std::string svg_escaped(const std::string& text);

/// A style sheet: what all figures share, by day and in the dark, and what a figure adds to either.
std::string svg_style(const std::string& own, const std::string& own_in_the_dark);

}  // namespace gfdt::report

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gfdt {

/// The candidate with the smallest edit distance to `word`; empty if none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// ` Did you mean 'X'?` with the nearest candidate, or an empty string.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace gfdt

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gfdt {

/// The candidate a person most likely meant by `word`, by edit distance; empty when none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// ` Did you mean 'X'?` for the nearest candidate, or nothing.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace gfdt

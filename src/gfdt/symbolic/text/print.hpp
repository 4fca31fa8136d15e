#pragma once

#include <cstddef>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// The formula as a person would write it and as `parse` reads it back: `F0 + a*x - c*x^3`, `sqrt(x)`, `mean(k,
/// X[k]^2)`.
std::string to_string(const Expression& formula);

/// The same for messages: what goes past about `length` characters is left out, so that it stays short and quick.
std::string abbreviated(const Expression& formula, std::size_t length = 80);

}  // namespace gfdt::symbolic

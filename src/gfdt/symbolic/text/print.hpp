#pragma once

#include <cstddef>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Formula in infix notation that `parse` reads back: `F0 + a*x - c*x^3`, `sqrt(x)`, `mean(k, X[k]^2)`.
std::string to_string(const Expression& formula);

/// The same for messages: text beyond about `length` characters is omitted, which also bounds the time needed.
std::string abbreviated(const Expression& formula, std::size_t length = 80);

}  // namespace gfdt::symbolic

#pragma once

#include <string>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::symbolic {

/// A model in which each formula appears twice in the next one: expanded, its drift has 2^levels terms.
inline Description nested_formulas(int levels, const std::string& innermost = "x + 0.3*y") {
  Description d;
  d.parameter("a", 1.0).parameter("s", 0.5).formula("e0", innermost);
  for (int i = 1; i <= levels; ++i) {
    const std::string before = "e" + std::to_string(i - 1);
    d.formula("e" + std::to_string(i), "sin(" + before + ")*" + before + " + 0.5");
  }
  d.state("x", "-x + 0.1*a*tanh(e" + std::to_string(levels) + ")", "s").state("y", "-y + x", "s");
  return d.observable("mean", "x");
}

}  // namespace gfdt::symbolic

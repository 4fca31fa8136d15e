#pragma once

#include <map>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// A closed interval of real numbers; its ends may be infinite.
struct Interval {
  double lower, upper;

  bool contains(double value) const { return lower <= value && value <= upper; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Bounds on the values of a formula by interval arithmetic: x^2 + 1 lies in [1, ∞), a comparison in [0, 1]. Symbols
/// with a value in `symbols` have that value; all other symbols and all sites of fields take any real value. The bounds
/// hold but need not be tight: an expression that holds a symbol twice is bounded as if the two varied independently.
/// They are not rounded outwards: comparisons need a tolerance of a few units in the last place.
Interval range(const Expression& formula, const std::map<std::string, double>& symbols);

}  // namespace gfdt::symbolic

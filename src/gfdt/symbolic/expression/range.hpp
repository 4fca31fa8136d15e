#pragma once

#include <map>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// A closed interval of real numbers; the ends may be infinite.
struct Interval {
  double lower, upper;

  bool contains(double value) const { return lower <= value && value <= upper; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Bounds the values of a formula by interval arithmetic: x^2 + 1 lies in [1, ∞), a comparison in [0, 1]. Symbols
/// listed in `symbols` have the given value; all other symbols and all sites of fields may take any real value. The
/// bounds need not be tight: a symbol that appears twice is treated as two independent variables. The ends are not
/// rounded outwards, so comparisons need a tolerance of a few units in the last place.
Interval range(const Expression& formula, const std::map<std::string, double>& symbols);

}  // namespace gfdt::symbolic

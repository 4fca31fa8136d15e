#pragma once

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::jacobian {

/// A cubic drift and noise that depends on the state, parameters in both.
inline symbolic::Model multiplicative() {
  return symbolic::build(symbolic::Description()
                             .parameter("r", 0.4)
                             .parameter("c", 0.8)
                             .parameter("q", 0.5)
                             .state("x", "r - c*x^3 - q*x", "sqrt(0.5 + q*x^2)")
                             .observable("mean", "x")
                             .observable("second", "x^2")
                             .observable("high", "x > 1"));
}

}  // namespace gfdt::jacobian

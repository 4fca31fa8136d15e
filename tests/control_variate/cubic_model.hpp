#pragma once

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::control_variate {

/// A model with parameters in drift, noise and an observable.
inline symbolic::Model cubic() {
  symbolic::Description d;
  d.parameter("r", 0.4).parameter("c", 0.8).parameter("s", 0.9).parameter("k", 1.3);
  d.state("x", "r + x/2 - c*x^3", "s");
  return symbolic::build(d.observable("mean", "x").observable("scaled", "k*x^2").observable("high", "x > 1"));
}

}  // namespace gfdt::control_variate

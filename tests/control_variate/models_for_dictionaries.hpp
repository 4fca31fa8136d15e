#pragma once

#include "../symbolic/model/paper_models.hpp"

namespace gfdt::control_variate {

/// Two states that share a noise; each has a noise amplitude that depends on the state. The drift contains an atom.
inline symbolic::Model correlated() {
  symbolic::Description d;
  d.parameter("a", 0.7).parameter("b", 0.4).parameter("s", 0.6);
  d.state("x", "-a*x + b*y + 0.3*sin(y)").state("y", "-y - b*x*y");
  d.diffusion = {{"x", {{"w1", "s*(1 + 0.2*y)"}, {"w2", "0.5"}}}, {"y", {{"w1", "b*x"}, {"w2", "0.7*s"}}}};
  return symbolic::build(d.observable("second", "x*y"));
}

/// A drift with a kink.
inline symbolic::Model kinked() {
  symbolic::Description d;
  d.parameter("a", 0.7).parameter("s", 0.6);
  d.state("x", "-a*x - 0.5*max(x - 0.5, 0) + 0.2*y", "s");
  d.state("y", "-y + x^2", "s*(1 + 0.1*y)");
  return symbolic::build(d.observable("mean", "x"));
}

/// A ring of two fields whose neighbours share noise, with an atom that depends on one site.
inline symbolic::Model noisy_ring(int sites) {
  symbolic::Description d;
  d.index("k", sites).parameter("a", 0.7).parameter("s", 0.6);
  d.state("X[k]", "-a*X[k] + 0.3*X[k+1]*X[k-1] - tanh(X[k+1])").state("Y[k]", "-Y[k] + s*X[k-1]^2");
  d.diffusion = {{"X", {{"w[k]", "s"}, {"w[k+1]", "0.3*X[k]"}}}, {"Y", {{"w[k]", "a*X[k+1]"}, {"v[k]", "s"}}}};
  return symbolic::build(d.observable("mean", "mean(k, X[k])"));
}

}  // namespace gfdt::control_variate

#pragma once

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::symbolic {

/// The models of the paper, as in the folder models/.
inline Description ou() {
  Description d;
  d.parameter("alpha", 1.0).parameter("beta", 1.0);
  return d.state("x", "-alpha*x", "beta");
}

inline Description quartic() {
  Description d;
  for (auto [name, value] : {std::pair{"alpha1", 0.0}, {"alpha2", 1.0}, {"alpha3", 0.0}, {"alpha4", -1.0}})
    d.parameter(name, value);
  d.parameter("beta1", 1.0).parameter("beta2", 0.0).parameter("beta3", 1.0);
  return d.state("x", "alpha1 + alpha2*x + alpha3*x^2 + alpha4*x^3", "sqrt((beta1 + beta2*x)^2 + beta3^2)");
}

inline Description scalar() {
  Description d;
  d.parameter("F0", 0.6).parameter("a", -0.0222).parameter("b", -0.2).parameter("c", 0.0494);
  d.parameter("sigma", 0.7071);
  return d.state("x", "F0 + a*x + b*x^2 - c*x^3", "sigma");
}

inline Description triad() {
  Description d;
  d.parameter("d_u", 0.2).parameter("omega", 0.4).parameter("d_tau", 2.0);
  d.parameter("sigma1", 0.3).parameter("sigma2", 0.3).parameter("sigma3", 1.5);
  d.state("u1", "-d_u*u1 - omega*u2 + tau", "sigma1");
  d.state("u2", "-d_u*u2 + omega*u1", "sigma2");
  return d.state("tau", "-d_tau*tau", "sigma3*(1 + tanh(u1))");
}

inline Description lorenz96(int sites = 36) {
  Description d;
  d.index("k", sites);
  d.parameter("alpha0", 0.1494).parameter("alpha1", 0.3945).parameter("alpha2", -0.0084).parameter("alpha3", -0.0017);
  d.parameter("sigma", 1.0359);
  d.formula("forcing", "10").formula("closure[k]", "alpha0 + alpha1*X[k] + alpha2*X[k]^2 + alpha3*X[k]^3");
  d.state("X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + forcing - closure[k]", "sigma");
  d.initial.push_back({"X", {2.5, 3.5}});
  return d;
}

inline Description two_scale_lorenz96() {
  Description d;
  d.index("k", 36).index("j", 10);
  d.parameter("F", 10).parameter("h", 1).parameter("c", 10).parameter("b", 10);
  d.parameter("sigma_x", 1).parameter("sigma_y", 1e-6);
  d.state("X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + F - h*c/10*sum(j, Y[j,k])", "sigma_x");
  return d.state("Y[j,k]", "-c*b*Y[j+1,k]*(Y[j+2,k] - Y[j-1,k]) - c*Y[j,k] + h*c/10*X[k]", "sigma_y");
}

/// Error message of `build`; empty if there is none.
inline std::string complaint(const Description& description) {
  try {
    build(description);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace gfdt::symbolic

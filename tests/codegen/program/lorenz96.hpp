#pragma once

#include "formulas.hpp"

namespace gfdt::codegen {

/// Names and drift of the stochastic Lorenz-96 closure on a ring.
struct Lorenz96 {
  explicit Lorenz96(int sites) {
    names.index("k", sites).state("X[k]").state("v[k]").parameter("dt", 0.005).parameter("sigma", 1.0359);
    names.parameter("alpha0", 0.1494).parameter("alpha1", 0.3945).parameter("alpha2", -0.0084);
    names.parameter("alpha3", -0.0017);
    k = names.scope().indices()[0];
    drift = names.parsed("-X[k-1]*(X[k-2] - X[k+1]) - X[k] + 10 - alpha0 - alpha1*X[k] - alpha2*X[k]^2 - alpha3*X[k]^3",
                         {k});
  }
  Formulas names;
  Index k;
  Expression drift;
};

inline EvaluationPlan drift_plan(int sites) {
  Lorenz96 m(sites);
  return {{m.k}, {{"X", {m.k}}}, {{{"F", {m.k}}, m.drift}}};
}

inline StepPlan euler_plan(int sites) {
  Lorenz96 m(sites);
  const Field x{"X", {m.k}}, v{"v", {m.k}};
  StepPlan plan{.index_order = {m.k}, .states = {x}, .noises = {v}, .signs = {}, .scratch = {}, .stages = {}};
  const Expression dt = Expression::symbol("dt"), sigma = Expression::symbol("sigma");
  plan.stages = {{{{next_name(x), {m.k}}, x.self() + dt * m.drift + symbolic::sqrt(dt) * sigma * v.self()}}};
  return plan;
}

}  // namespace gfdt::codegen

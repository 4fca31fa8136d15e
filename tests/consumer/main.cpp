#include <cstdio>

#include "gfdt/gfdt.hpp"

int main() {
  gfdt::symbolic::Description description;
  description.parameter("alpha", 1.0).state("x", "-alpha*x", "1").observable("variance", "x^2");
  gfdt::problem::Problem problem;
  problem.model = gfdt::symbolic::build(description);
  problem.simulation = {.dt = 0.01, .members = 16, .length = 400};
  problem.simulation.backend = gfdt::codegen::Backend::interpreter;

  const auto task = gfdt::api::jacobian_task(problem, {"alpha"});
  const auto result = gfdt::api::estimate(*task, gfdt::api::jacobian_method("exact"), {});
  std::printf("%.4f +- %.4f\n", result.jacobian.value.at(0), result.jacobian.standard_error.at(0));
  return result.jacobian.usable() ? 0 : 1;
}

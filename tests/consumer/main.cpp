#include <cstdio>

#include "gfdt/gfdt.hpp"

int main() {
  gfdt::model::Description description;
  description.parameter("alpha", 1.0).state("x", "-alpha*x", "1").observable("variance", "x^2");
  gfdt::io::Problem problem;
  problem.model = gfdt::model::build(description);
  problem.simulation = {.dt = 0.01, .members = 16, .length = 400};
  problem.simulation.backend = gfdt::kernel::Backend::interpreter;

  const auto task = gfdt::task::jacobian_task(problem, {"alpha"});
  const auto result = gfdt::task::estimate(*task, gfdt::task::jacobian_method("exact"), {});
  std::printf("%.4f +- %.4f\n", result.jacobian.value.at(0), result.jacobian.standard_error.at(0));
  return result.jacobian.usable() ? 0 : 1;
}

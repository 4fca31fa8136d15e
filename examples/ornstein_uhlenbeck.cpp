// The model of ornstein_uhlenbeck.toml, written down and simulated in C++.
#include <cstdio>

#include "gfdt/gfdt.hpp"

int main() {
  gfdt::symbolic::Description description;
  description.parameter("alpha", 1.0).parameter("beta", 1.0);
  description.state("x", "-alpha*x", "beta");
  description.observable("variance", "x^2");
  gfdt::symbolic::Model model = gfdt::symbolic::build(description);

  gfdt::simulate::Options options{.dt = 0.01, .members = 100, .length = 1000};
  auto result = gfdt::statistics::simulate_statistics(model, options);
  for (const auto& average : result.observables)
    std::printf("%s = %.4f +- %.4f\n", average.name.c_str(), average.mean, average.standard_error);
  return result.usable() ? 0 : 1;
}

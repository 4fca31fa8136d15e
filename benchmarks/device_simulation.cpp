// Throughput of simulations on a GPU, one line a figure: `name value unit`. benchmarks/device_peers.py runs it beside
// its peers.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace {

using namespace gfdt;

constexpr int repetitions = 3;

/// State variables times steps per second, without compilation and with all processing of a run: the best of a few
/// runs.
double state_steps_per_second(const problem::Problem& problem, const simulate::Options& options, bool statistics) {
  double best = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    const simulate::Summary run = statistics ? statistics::simulate_statistics(problem.model, options).run
                                             : simulate::run(problem.model, options, {});
    const double steps = run.simulated_time / options.dt;
    best = std::max(best, steps * problem.model.dimension() / (watch.seconds() - run.compile_seconds));
  }
  return best;
}

void print(const std::string& name, double value, const std::string& unit) {
  fmt::print("{} {:.4e} {}\n", name, value, unit);
  std::fflush(stdout);
}

int run(const std::string& folder) {
  const problem::Problem lorenz = problem::read_problem(folder + "/lorenz96.toml", {});
  const problem::Problem linear = problem::read_problem(folder + "/../benchmarks/linear.toml", {});
  const problem::Problem two_scale = problem::read_problem(folder + "/../models/lorenz96-two-scale.toml", {});
  for (const int members : {512, 8192, 131072}) {
    simulate::Options options = lorenz.simulation;
    options.backend = codegen::Backend::cuda;
    options.members = members;
    options.length = 1000;
    options.burn_in = 1;
    print(fmt::format("lorenz96-steps-{}", members), state_steps_per_second(lorenz, options, false), "site-steps/s");
    print(fmt::format("lorenz96-statistics-{}", members), state_steps_per_second(lorenz, options, true),
          "site-steps/s");
    options.cadence = 1;
    options.length /= 10;
    print(fmt::format("lorenz96-every-step-{}", members), state_steps_per_second(lorenz, options, true),
          "site-steps/s");
  }
  simulate::Options options = linear.simulation;
  options.backend = codegen::Backend::cuda;
  const double rows = linear.model.dimension();
  print("linear-steps", state_steps_per_second(linear, options, false) / rows, "path-steps/s");
  options.cadence = 10;
  print("linear-statistics", state_steps_per_second(linear, options, true) / rows, "path-steps/s");
  for (const int members : {512, 8192}) {
    options = two_scale.simulation;
    options.backend = codegen::Backend::cuda;
    options.members = members;
    options.precision = simulate::Precision::single_precision;
    options.length = 50;
    options.burn_in = 1;
    print(fmt::format("two-scale-steps-{}", members), state_steps_per_second(two_scale, options, false),
          "site-steps/s");
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? arguments[1] : "experiments");
  } catch (const gfdt::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

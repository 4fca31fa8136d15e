// Throughput of simulations, one line a figure: `name value unit`. benchmarks/compare.py runs it beside its peers.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/random/normals.hpp"
#include "gfdt/parallel/threads.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace {

using namespace gfdt;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Normal numbers per second on all cores in the shape of the Lorenz-96 closure: 16 members, 36 rows per step, written
/// to the first-level cache.
double normals_per_second() {
  constexpr int lanes = 16, rows = 36, steps = 200000;
  int threads = available_threads();
  auto start = std::chrono::steady_clock::now();
  for_each_block(static_cast<std::size_t>(threads), threads, [&](std::size_t block) {
    codegen::AlignedArray<float> buffer(lanes * rows);
    std::vector<std::uint32_t> ids(lanes);
    for (int i = 0; i < lanes; ++i)
      ids[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(block) * lanes + static_cast<std::uint32_t>(i);
    for (std::uint64_t step = 0; step < steps; ++step)
      codegen::fill_normals(buffer.span(), ids, 1, codegen::Purpose::noise, step * rows / 4);
  });
  return static_cast<double>(threads) * lanes * rows * steps / seconds_since(start);
}

/// State variables times steps per second with statistics, without compilation.
double state_steps_per_second(const problem::Problem& problem, simulate::Options options) {
  statistics::EnsembleStatistics result = statistics::simulate_statistics(problem.model, options);
  double steps = result.run.simulated_time / options.dt;
  return steps * problem.model.dimension() / (result.run.wall_seconds - result.run.compile_seconds);
}

double state_steps_per_second(const problem::Problem& problem, simulate::Scheme scheme, codegen::Backend backend,
                              int cadence, double length) {
  simulate::Options options = problem.simulation;
  options.scheme = scheme;
  options.backend = backend;
  options.cadence = cadence;
  options.members = 64 * available_threads();
  options.length = length;
  options.burn_in = 1;
  return state_steps_per_second(problem, options);
}

/// Seconds to generate, compile and load the code of a model: with an empty cache, then again.
std::pair<double, double> preparation_seconds(const problem::Problem& problem) {
  std::string cache = (std::filesystem::temp_directory_path() / fmt::format("gfdt-benchmark-{}", getpid())).string();
  setenv("GFDT_CACHE", cache.c_str(), 1);
  simulate::Options options = problem.simulation;
  options.members = 16;
  options.length = 1;
  options.burn_in = 0;
  auto seconds = [&] { return statistics::simulate_statistics(problem.model, options).run.compile_seconds; };
  double first = seconds(), cached = seconds();
  std::filesystem::remove_all(cache);
  unsetenv("GFDT_CACHE");
  return {first, cached};
}

void print(const std::string& name, double value, const std::string& unit) {
  fmt::print("{} {:.4e} {}\n", name, value, unit);
}

int run(const std::string& folder) {
  using simulate::Scheme;
  problem::Problem lorenz = problem::read_problem(folder + "/lorenz96.toml"),
                   triad = problem::read_problem(folder + "/triad.toml");
  constexpr auto native = codegen::Backend::native, interpreter = codegen::Backend::interpreter;
  print("normals", normals_per_second(), "normals/s");
  print("lorenz96-rk4", state_steps_per_second(lorenz, Scheme::rk4, native, lorenz.simulation.cadence, 300),
        "site-steps/s");
  print("lorenz96-rk4-every-step", state_steps_per_second(lorenz, Scheme::rk4, native, 1, 300), "site-steps/s");
  print("lorenz96-euler",
        state_steps_per_second(lorenz, Scheme::euler_maruyama, native, lorenz.simulation.cadence, 300), "site-steps/s");
  print("lorenz96-rk4-interpreter",
        state_steps_per_second(lorenz, Scheme::rk4, interpreter, lorenz.simulation.cadence, 60), "site-steps/s");
  print("triad-euler", state_steps_per_second(triad, Scheme::euler_maruyama, native, 10, 20000), "state-steps/s");
  print("triad-euler-interpreter", state_steps_per_second(triad, Scheme::euler_maruyama, interpreter, 10, 5000),
        "state-steps/s");
  print("triad-weak2", state_steps_per_second(triad, Scheme::weak2, native, 10, 10000), "state-steps/s");
  for (const auto& [name, problem] : {std::pair{"triad", &triad}, {"lorenz96", &lorenz}}) {
    auto [first, cached] = preparation_seconds(*problem);
    print(fmt::format("{}-first-use", name), first, "s");
    print(fmt::format("{}-from-cache", name), cached, "s");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "experiments");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

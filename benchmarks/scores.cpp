// Scores of the triad: fitting by kgmm, and evaluating s and ∇s of the network 3-100-50-3. One line a figure.
//   benchmark_scores EXPERIMENTS [threads]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "gfdt/parallel/threads.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/score/estimators/kgmm.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace {

using namespace gfdt;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds for s and all nine entries of ∇s at ten million states, in blocks of 1024.
double evaluation_seconds(const score::Field& field, const score::Samples& samples, int threads) {
  constexpr int lanes = 1024;
  constexpr std::size_t states = 10'000'000;
  const auto d = static_cast<std::size_t>(field.dimension());
  std::vector<score::JacobianEntry> entries;
  for (int row = 0; row < field.dimension(); ++row)
    for (int column = 0; column < field.dimension(); ++column) entries.push_back({row, column});
  const auto start = std::chrono::steady_clock::now();
  for_each_block((states + lanes - 1) / lanes, threads, [&](std::size_t block) {
    std::vector<double> x(d * lanes), s(x.size()), jacobian(entries.size() * lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t row = 0; row < d; ++row)
        x[row * lanes + lane] = samples[(block * lanes + lane) % samples.size()][row];
    field.jacobian(x.data(), lanes, entries, s.data(), jacobian.data());
  });
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int threads = argc > 2 ? std::atoi(argv[2]) : available_threads();
  const problem::Problem problem = problem::read_problem(std::filesystem::path(argv[1]) / "triad.toml");
  const score::Samples samples = score::draw_samples(problem.model, problem.simulation, 1'000'000);
  const score::KgmmFit usual = score::fit_kgmm(samples, {.threads = threads});
  fmt::print("kgmm-fit-seconds {:.3f}\n", usual.wall_seconds);
  const score::KgmmFit fit = score::fit_kgmm(samples, {.hidden = {100, 50}, .threads = threads});
  fmt::print("kgmm-fit-100-50-seconds {:.3f}\n", fit.wall_seconds);
  fmt::print("evaluation-100-50-seconds {:.3f}\n", evaluation_seconds(*fit.field, samples, threads));
  fmt::print("evaluation-seconds {:.3f}\n", evaluation_seconds(*usual.field, samples, threads));
  return 0;
}

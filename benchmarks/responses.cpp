// What the pass behind a Jacobian costs beside simulating alone, and with a fitted score. One line a figure.
//   benchmark_responses EXPERIMENTS [rounds]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace {

using namespace gfdt;

struct Times {
  double simulation, statistics, response;
};

Times times_of(const problem::Problem& problem, score::Method method, bool correction) {
  const simulate::ModelSource source(problem.model, problem.simulation);
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : problem.model.parameters) names.push_back(parameter.name);
  score::Options score = problem.score;
  score.method = method;
  jacobian::Options response = problem.response;
  response.correction = correction;
  const simulate::Summary alone = source.run({}, {});
  const jacobian::GfdtJacobian result = jacobian::gfdt_jacobian({problem.model, source, names, score, response, {}});
  const statistics::EnsembleStatistics averaged = statistics::simulate_statistics(problem.model, source);
  return {alone.wall_seconds - alone.compile_seconds, averaged.run.wall_seconds - averaged.run.compile_seconds,
          result.response_seconds};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::filesystem::path experiments = argv[1];
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  struct Case {
    const char* experiment;
    score::Method method;
    bool correction;
  };
  const Case cases[] = {{"scalar", score::Method::exact, false},
                        {"scalar", score::Method::exact, true},
                        {"triad", score::Method::gaussian, false},
                        {"triad", score::Method::gaussian, true},
                        {"triad", score::Method::kgmm, true}};
  for (const auto& [experiment, method, correction] : cases) {
    const problem::Problem problem = problem::read_problem(experiments / fmt::format("{}.toml", experiment));
    std::vector<double> ratios, to_statistics, seconds;
    for (int round = 0; round < rounds; ++round) {
      const Times times = times_of(problem, method, correction);
      ratios.push_back(times.response / times.simulation);
      to_statistics.push_back(times.response / times.statistics);
      seconds.push_back(times.response);
    }
    std::ranges::sort(ratios);
    std::ranges::sort(to_statistics);
    std::ranges::sort(seconds);
    fmt::print("{} {}{}: response pass {:.3f} s, {:.2f} times the steps alone, {:.2f} times the run with statistics\n",
               experiment, score::name(method), correction ? ", corrected" : "", seconds[seconds.size() / 2],
               ratios[ratios.size() / 2], to_statistics[to_statistics.size() / 2]);
  }
  return 0;
}

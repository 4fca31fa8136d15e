#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::statistics {
namespace {

/// A run shorter than this many autocorrelation times of a quantity has not seen its law.
constexpr double shortest_run = 20;

Finding stability(const simulate::Summary& run, int members) {
  Finding finding{.check = "stability", .passed = run.status == simulate::Status::done, .verdict = {}, .advice = {}};
  if (!finding.passed) {
    finding.verdict = run.explanation;
    finding.advice = "Check the signs of the highest powers in the drift, the initial law and the time step.";
  } else if (run.replaced_members > 0) {
    finding.passed = false;
    finding.verdict = fmt::format("{} of {} members blew up and were replaced.", run.replaced_members, members);
    finding.advice =
        "The law is at best metastable at these parameters: statistics describe the members that stayed. A smaller dt "
        "may help.";
  } else {
    finding.verdict = "No member blew up.";
  }
  return finding;
}

bool is_finite(const Average& average) { return std::isfinite(average.mean); }

Finding definedness(const std::vector<Average>& observables) {
  Finding finding{.check = "definedness", .passed = true, .verdict = "All observables are finite.", .advice = {}};
  auto undefined = std::ranges::find_if_not(observables, is_finite);
  if (undefined == observables.end()) return finding;
  finding.passed = false;
  finding.verdict = fmt::format("{} was not a finite number at some time.", undefined->name);
  finding.advice = "Its formula is not defined for all states that the model visits.";
  return finding;
}

Finding stationarity_finding(const Stationarity& result) {
  Finding finding{.check = "stationarity", .passed = result.stationary, .verdict = {}, .advice = {}};
  if (result.drifts.empty()) return finding;
  const Drift& worst = result.drifts[0];
  if (result.stationary) {
    finding.verdict = "Averages do not drift between the first and the last third of the time.";
  } else {
    finding.verdict =
        fmt::format("{} moves by {:.3g} ± {:.2g} between the first and the last third of the time (p = {:.1e}).",
                    worst.name, worst.change, worst.standard_error, worst.p_value);
    finding.advice =
        "Use a longer burn_in; if the drift goes on, the model has no stationary law or falls into an absorbing state.";
  }
  return finding;
}

Finding mixing(const std::vector<Average>& averages, double length) {
  Finding finding{.check = "mixing", .passed = true, .verdict = {}, .advice = {}};
  auto slowest = std::ranges::max_element(averages, {}, &Average::autocorrelation_time);
  if (slowest == averages.end()) return finding;
  finding.passed = slowest->autocorrelation_resolved && slowest->autocorrelation_time * shortest_run <= length;
  finding.verdict = fmt::format(
      "The slowest quantity, {}, has an autocorrelation time of {:.3g}{}; a member is sampled for {:g}.", slowest->name,
      slowest->autocorrelation_time, slowest->autocorrelation_resolved ? "" : " or more", length);
  if (!finding.passed)
    finding.advice = fmt::format("Make the length at least {:.2g}, or members may disagree about the law.",
                                 std::max(shortest_run * slowest->autocorrelation_time, 2 * length));
  return finding;
}

}  // namespace

bool EnsembleStatistics::problems() const {
  return std::ranges::any_of(findings, [](const Finding& finding) { return !finding.passed; });
}

EnsembleStatistics simulate_statistics(const model::Model& model, const simulate::Options& options,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks) {
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  auto start = std::chrono::steady_clock::now();
  StatisticsSink sink(model, options);
  double preparation = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<simulate::Sink*> sinks{&sink};
  sinks.insert(sinks.end(), more_sinks.begin(), more_sinks.end());
  EnsembleStatistics result;
  result.run = simulate::run(model, options, sinks, control);
  result.run.wall_seconds += preparation;
  result.run.compile_seconds += preparation;
  result.findings.push_back(stability(result.run, options.members));
  if (result.run.status != simulate::Status::done) return result;
  result.observables = sink.observables();
  result.stationarity = sink.stationarity();
  result.findings.push_back(definedness(result.observables));
  result.findings.push_back(stationarity_finding(result.stationarity));
  std::vector<Average> all = result.observables, watched = sink.watched();
  all.insert(all.end(), watched.begin(), watched.end());
  std::erase_if(all, [](const Average& average) { return !is_finite(average); });
  result.findings.push_back(mixing(all, options.length));
  return result;
}

}  // namespace gfdt::statistics

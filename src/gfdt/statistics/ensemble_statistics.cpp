#include "gfdt/statistics/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/core/stopwatch.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/statistics_sink.hpp"

namespace gfdt::statistics {

bool EnsembleStatistics::usable() const {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.passed || !finding.fatal; });
}

bool EnsembleStatistics::no_problems() const { return std::ranges::all_of(findings, &Finding::passed); }

double EnsembleStatistics::longest_memory() const {
  double longest = 0;
  for (const auto* list : {&observables, &watched})
    for (const Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

EnsembleStatistics simulate_statistics(const model::Model& model, const simulate::Options& options,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks) {
  return simulate_statistics(model, simulate::ModelSource(model, options), control, more_sinks);
}

EnsembleStatistics simulate_statistics(const model::Model& model, const simulate::Source& source,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks,
                                       const ObservedFunctions& functions) {
  const simulate::Options& options = source.options();
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  const Stopwatch watch;
  StatisticsSink sink(model, options, source.stretches_a_member(), functions);
  double preparation = watch.seconds();
  std::vector<simulate::Sink*> sinks{&sink};
  sinks.insert(sinks.end(), more_sinks.begin(), more_sinks.end());
  EnsembleStatistics result;
  result.run = source.run(sinks, control);
  result.run.wall_seconds += preparation;
  result.run.compile_seconds += preparation;
  result.findings.push_back(stability(result.run, options.members));
  if (result.run.status != simulate::Status::done) return result;
  result.observables = sink.observables();
  const std::vector<std::vector<double>> member_means = sink.member_means();
  result.mean_covariance = covariance_of_means(
      result.observables, options.members >= static_cast<int>(fewest_members) ? member_means : sink.part_means());
  result.findings.push_back(definedness(result.observables));
  result.findings.push_back(variation(result.observables));
  if (model.time_state) result.findings.push_back(time_dependence(model, options));
  result.watched = sink.watched();
  if (!model.time_state || (model.period && simulate::holds_whole_periods(model, options))) {
    result.stationarity = sink.stationarity();
    result.findings.push_back(stationarity_finding(result.stationarity));
  }
  if (model.time_state && !model.period) return result;
  std::vector<Average> all = result.observables;
  all.insert(all.end(), result.watched.begin(), result.watched.end());
  std::erase_if(all, [](const Average& average) { return !std::isfinite(average.autocorrelation_time); });
  result.findings.push_back(mixing(all, options.length));
  std::vector<std::string> names;
  for (const Average& average : result.observables) names.push_back(average.name);
  result.findings.push_back(tails(names, member_means));
  return result;
}

}  // namespace gfdt::statistics

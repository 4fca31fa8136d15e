#include "gfdt/statistics/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/checks/mixing.hpp"
#include "gfdt/statistics/statistics_sink.hpp"

namespace gfdt::statistics {
namespace {

/// Adds half of each drift that is significant but too small to be relevant to the standard error.
void include_slight_drifts(const Stationarity& stationarity, std::vector<Average>& observables) {
  for (const Drift& drift : stationarity.drifts) {
    if (!stationarity.significant(drift) || drift.relevant) continue;
    const auto average = std::ranges::find(observables, drift.name, &Average::name);
    if (average != observables.end()) average->standard_error = std::hypot(average->standard_error, drift.change / 2);
  }
}

}  // namespace

bool EnsembleStatistics::usable() const { return gfdt::usable(diagnostics); }

bool EnsembleStatistics::complete() const { return gfdt::complete(diagnostics); }

bool EnsembleStatistics::no_problems() const { return std::ranges::all_of(diagnostics, &Diagnostic::passed); }

double EnsembleStatistics::longest_memory() const {
  return std::max(longest_time(observables), longest_time(monitored));
}

double EnsembleStatistics::shortest_memory() const {
  double result = std::numeric_limits<double>::infinity();
  for (const auto* averages : {&observables, &monitored})
    for (const Average& average : *averages)
      if (average.autocorrelation_time > 0) result = std::min(result, average.autocorrelation_time);
  return result;
}

EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Options& options,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks) {
  return simulate_statistics(model, simulate::ModelSource(model, options), control, more_sinks);
}

EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Source& source,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks,
                                       const ObservedFunctions& functions) {
  const simulate::Options& options = source.options();
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  const Stopwatch watch;
  StatisticsSink sink(model, options, source.segments_per_member(), functions);
  double preparation = watch.seconds();
  std::vector<simulate::Sink*> sinks{&sink};
  sinks.insert(sinks.end(), more_sinks.begin(), more_sinks.end());
  EnsembleStatistics result;
  result.run = source.run(sinks, control);
  result.run.wall_seconds += preparation;
  result.run.compile_seconds += preparation;
  result.diagnostics.push_back(stability(result.run, options.members));
  if (result.run.status != simulate::Status::done) return result;
  result.observables = sink.observables();
  result.monitored = sink.monitored();
  const std::vector<std::vector<double>> member_means = sink.member_means();
  const bool long_run = !model.time_state || model.period;
  if (long_run) judge_mixing(result.observables, result.monitored, source);
  judge_events(model, result.observables, result.monitored, options);
  if (!model.time_state || (model.period && simulate::holds_whole_periods(model, options))) {
    result.stationarity = sink.stationarity();
    include_slight_drifts(result.stationarity, result.observables);
  }
  result.mean_covariance = covariance_of_means(
      result.observables, options.members >= static_cast<int>(fewest_members) ? member_means : sink.part_means());
  result.diagnostics.push_back(definedness(result.observables));
  result.diagnostics.push_back(variation(result.observables));
  if (model.time_state) result.diagnostics.push_back(time_dependence(model, options));
  if (!result.stationarity.drifts.empty()) result.diagnostics.push_back(stationarity_diagnostic(result.stationarity));
  if (!long_run) return result;
  result.diagnostics.push_back(
      mixing(result.observables, result.monitored, options.length * static_cast<double>(source.segments_per_member())));
  if (std::ranges::any_of(result.observables, [](const Average& a) { return a.events.has_value(); }))
    result.diagnostics.push_back(events(result.observables, options));
  std::vector<std::string> names;
  for (const Average& average : result.observables) names.push_back(average.name);
  result.diagnostics.push_back(tails(names, member_means));
  return result;
}

}  // namespace gfdt::statistics

#include "gfdt/jacobian/selection/jacobian_filling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"

namespace gfdt::jacobian {
namespace {

using statistics::EnsembleStatistics;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
/// Factor by which the lags of the first pass may have to grow.
constexpr double room_to_grow = 3;

}  // namespace

void prepare(GfdtJacobian& result, std::size_t rows, const std::vector<std::string>& parameters, ColumnMethod method,
             const std::vector<ColumnOutlook>& outlook, const std::vector<DirectTerm>& terms) {
  Jacobian& jacobian = result.jacobian;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    Column column{.parameter = parameters[j], .method = method, .remark = outlook[j].unavailable};
    const bool direct = std::ranges::any_of(terms, [&](const DirectTerm& term) { return term.parameter == j; });
    if (column.remark.empty() && outlook[j].zero) {
      column.zero = !direct;
      column.remark = direct ? "appears in observables only" : "appears nowhere: exactly zero";
    }
    jacobian.columns.push_back(std::move(column));
  }
  jacobian.value.assign(rows * jacobian.columns.size(), missing);
  jacobian.standard_error = jacobian.sampling_error = jacobian.value;
  jacobian.score_error.assign(jacobian.value.size(), 0.0);
  result.direct.resize(jacobian.value.size());
}

void take_statistics(const EnsembleStatistics& statistics, std::size_t rows, const simulate::Options& options,
                     Jacobian& jacobian) {
  jacobian.diagnostics = statistics.diagnostics;
  jacobian.stationary = statistics.stationarity.stationary;
  jacobian.simulated_time += statistics.run.simulated_time;
  if (statistics.observables.empty()) return;
  jacobian.statistics.assign(statistics.observables.begin(),
                             statistics.observables.begin() + static_cast<std::ptrdiff_t>(rows));
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t n = 0; n < rows; ++n)
      jacobian.statistics_covariance.push_back(statistics.mean_covariance[m * statistics.observables.size() + n]);
  for (Diagnostic& diagnostic : jacobian.diagnostics) {
    if (diagnostic.check == Check::variation) diagnostic = statistics::variation(jacobian.statistics);
    if (diagnostic.check == Check::definedness) diagnostic = statistics::definedness(jacobian.statistics);
    if (diagnostic.check == Check::mixing)
      diagnostic = statistics::mixing(jacobian.statistics, statistics.monitored, options.length);
    if (diagnostic.check == Check::events) diagnostic = statistics::events(jacobian.statistics, options);
  }
}

std::vector<double> references(const EnsembleStatistics& run, std::size_t rows, std::size_t states) {
  std::vector<double> result;
  for (std::size_t m = 0; m < rows; ++m) result.push_back(run.observables[m].mean);
  // Two functions of every state are monitored; the first is its mean.
  for (std::size_t i = 0; i < states; ++i) result.push_back(run.monitored[2 * i].mean);
  return result;
}

void check_window(const Options& response, const simulate::Options& options) {
  if (response.window && response.window->end > options.length / 2)
    throw Error(fmt::format(
        "The window ends at {:g}, and members are sampled for {:g}: give an earlier end, or a simulation.length of "
        "at least {:g}.",
        response.window->end, options.length, 2 * response.window->end));
}

Segments cut(const simulate::Options& options, double lags) {
  const auto of_length = [&](double shortest) {
    return segments_of(static_cast<std::size_t>(options.members), options.samples(),
                       static_cast<std::uint64_t>(std::ceil(shortest / options.sample_interval())));
  };
  Segments segments = of_length(room_to_grow * lags_per_segment * lags);
  if (segments.count() < fewest_units) {
    const std::size_t per_member = (fewest_units + segments.members - 1) / segments.members;
    segments.per_member = std::min(of_length(lags_per_segment * lags).per_member, per_member);
  }
  return segments;
}

std::vector<Entry> entries_of(const Signals& signals, const symbolic::Model& model,
                              const std::vector<std::string>& parameters) {
  std::vector<Entry> entries;
  for (const ConjugateGroup& group : signals.groups())
    for (std::size_t i = 0; i < group.parameters.size() && group.kind != ConjugateGroup::Kind::difference; ++i)
      for (std::size_t m = 0; m + 1 < static_cast<std::size_t>(signals.shape().later); ++m)
        entries.push_back({static_cast<int>(m) + 1, group.first_row + 1 + static_cast<int>(i), group.first_row,
                           fmt::format("∂<{}>/∂{}", model.observables[m].name, parameters[group.parameters[i]])});
  return entries;
}

void fill(GfdtJacobian& result, std::size_t at, const LagCorrelation& kernel, const LagBins& bins,
          const Weights& weights) {
  Jacobian& jacobian = result.jacobian;
  StepResponses& steps = result.steps;
  if (steps.time.empty()) {
    steps.of_entry.resize(jacobian.value.size());
    steps.kernel_of_entry.resize(jacobian.value.size());
    for (std::size_t node = 0; node < bins.nodes(); ++node)
      steps.time.push_back(static_cast<double>(node) * bins.width());
  }
  const Estimate entry = kernel.integral(weights);
  jacobian.value[at] = entry.value;
  jacobian.standard_error[at] = jacobian.sampling_error[at] = entry.standard_error;
  for (std::size_t node = 0; node < bins.nodes(); ++node) {
    steps.of_entry[at].push_back(kernel.integral(step_weights(bins, node)));
    steps.kernel_of_entry[at].push_back(kernel.integral(kernel_weights(bins, node)));
  }
}

void fill_exact_entries(GfdtJacobian& result, const std::vector<ColumnOutlook>& outlook,
                        const std::vector<DirectTerm>& terms, const EnsembleStatistics& statistics) {
  Jacobian& jacobian = result.jacobian;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j)
    if (outlook[j].unavailable.empty() && outlook[j].zero)
      for (std::size_t m = 0; m < jacobian.rows(); ++m) {
        const std::size_t at = jacobian.at(m, j);
        jacobian.value[at] = jacobian.standard_error[at] = jacobian.sampling_error[at] = 0;
      }
  std::size_t next = jacobian.rows();
  for (const DirectTerm& term : terms) {
    const std::size_t at = jacobian.at(term.observable, term.parameter);
    if (!term.unavailable.empty()) {
      jacobian.withhold(at);
      result.direct[at] = {missing, missing};
      std::string& remark = jacobian.columns[term.parameter].remark;
      remark += fmt::format("{}no entry for {}: {}", remark.empty() ? "" : "; ",
                            jacobian.statistics[term.observable].name, term.unavailable);
      continue;
    }
    const statistics::Average& average = statistics.observables[next++];
    result.direct[at] = {average.mean, average.standard_error};
    jacobian.value[at] += average.mean;
    jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], average.standard_error);
    jacobian.sampling_error[at] = std::hypot(jacobian.sampling_error[at], average.sampling_error);
  }
}

}  // namespace gfdt::jacobian

#include "gfdt/jacobian/finite_difference/finite_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/finite_difference/difference_runs.hpp"
#include "gfdt/jacobian/finite_difference/step_choice.hpp"
#include "gfdt/jacobian/finite_difference/step_limit.hpp"
#include "gfdt/simulate/coarser_step.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::jacobian {
namespace {

constexpr int most_halvings = 6;
constexpr double pilot_share = 0.1;
/// Length, in autocorrelation times, of a pilot or of a part of a member's time that counts as independent.
constexpr double times_tau = 20;
/// First step of the search, relative to the parameter or, if that is 0, to its natural change.
constexpr double first_step = 0.25;
/// The largest step, relative to the larger of both: beyond it the model differs too much, whatever the observables
/// show.
constexpr double largest_step = 0.5;
/// Typical number of steps in a search.
constexpr double typical_rungs = 5;

bool appears(const symbolic::Model& model, const std::string& parameter) {
  const auto holds = [&](const symbolic::Expression& formula) { return symbolic::depends_on(formula, parameter); };
  return std::ranges::any_of(model.drift, holds) ||
         std::ranges::any_of(model.diffusion, holds, &symbolic::DiffusionTerm::amplitude) ||
         std::ranges::any_of(model.observables, holds, &symbolic::Observable::formula);
}

/// Averages of each member from the averages over its parts.
std::vector<double> by_member(const std::vector<double>& parts) {
  std::vector<double> members;
  for (auto begin = parts.begin(); begin != parts.end(); begin += statistics::parts_per_member)
    members.push_back(mean(std::span(begin, begin + statistics::parts_per_member)));
  return members;
}

class FiniteDifferences {
 public:
  FiniteDifferences(const symbolic::Model& model, const simulate::Options& simulation, const Options& options,
                    const simulate::Control& control)
      : model_(model), options_(options), runs_(model, simulation, control) {}

  Jacobian run(const std::vector<std::string>& parameters, const Wanted& wanted) {
    const Stopwatch watch;
    for (const std::string& name : parameters) {
      Column& column = result_.columns.emplace_back();
      column.parameter = name;
      column.method = {Method::finite_difference};
    }
    const bool held = unperturbed_run();
    const bool supported = std::ranges::any_of(result_.statistics, &statistics::Average::usable);
    result_.declined = held && wanted && !wanted(result_.statistics, result_.statistics_covariance);
    if (held && supported && !result_.declined) {
      for (std::size_t j = 0; j < result_.columns.size() && !cancelled_; ++j) fill(j);
      if (!cancelled_) {
        say_what_is_missing();
        runs_.fill_bar();
      }
    }
    withhold_unsupported_rows(result_);
    result_.simulated_time = runs_.simulated_time();
    result_.wall_seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  using Side = DifferenceRuns::Side;

  double runs_per_column(const Column& column) const {
    if (!appears(model_, column.parameter)) return 0;
    const bool given = options_.relative_step || options_.steps.contains(column.parameter);
    const simulate::Options& simulation = runs_.options();
    const double pilot =
        (pilot_share * simulation.length + simulation.burn_in_time()) / (simulation.length + simulation.burn_in_time());
    constexpr double with_coarser_step = 1 + 1.0 / simulate::coarser_ratios[0];
    return 2 * (given ? with_coarser_step : with_coarser_step + typical_rungs * pilot);
  }

  bool unperturbed_run() {
    all_runs_ = 1;
    for (const Column& column : result_.columns) all_runs_ += runs_per_column(column);
    runs_.next_part(1 / all_runs_, 1);
    statistics::EnsembleStatistics statistics = runs_.unperturbed();
    const double longest = statistics.longest_memory();
    result_.stationary = statistics.stationarity.stationary;
    result_.diagnostics = std::move(statistics.diagnostics);
    result_.statistics = std::move(statistics.observables);
    result_.statistics_covariance = std::move(statistics.mean_covariance);
    moments_ = std::move(statistics.monitored);
    result_.value.assign(result_.rows() * result_.columns.size(), std::nan(""));
    result_.standard_error = result_.sampling_error = result_.value;
    result_.score_error.assign(result_.value.size(), 0);
    if (statistics.run.status != simulate::Status::done) {
      for (Column& column : result_.columns) column.remark = "no run: " + statistics.run.explanation;
      return false;
    }
    double tau = 0;
    bool resolved = true;
    for (const statistics::Average& average : result_.statistics) {
      // Observables that the run does not support are not used in the choice of steps.
      scales_.deviation.push_back(average.usable() ? average.standard_deviation : 0);
      missed_event_.push_back(missed_event(average, longest));
      if (!average.usable()) continue;
      resolved = resolved && average.autocorrelation_resolved;
      if (std::isfinite(average.autocorrelation_time)) tau = std::max(tau, average.autocorrelation_time);
    }
    const simulate::Options& simulation = runs_.options();
    const double pilot = std::max({pilot_share * simulation.length, times_tau * tau,
                                   statistics::parts_per_member * simulation.sample_interval()});
    pilot_length_ = std::min(pilot, simulation.length);
    scales_.share = pilot_length_ / simulation.length;
    parts_independent_ = resolved && simulation.length / statistics::parts_per_member >= times_tau * tau;
    result_.degrees_of_freedom = simulation.members - 1;
    return true;
  }

  /// Contribution of one event that differs between two runs with the same random numbers to (A(θ+h) − A(θ−h))/2h,
  /// times h. During the event A differs by about 2σ. The correlation time τ_A of A gives the duration √(τ_A τ), where
  /// τ is the longest memory: if a share c² of the variance of A lies in a component with memory τ, then τ_A ≥ c²τ, and
  /// A differs by 2cσ for the time τ. Durations are assumed to have an exponential distribution.
  double missed_event(const statistics::Average& average, double longest) const {
    const simulate::Options& simulation = runs_.options();
    const double tau = std::max(average.autocorrelation_time, 0.0);
    const double slowest = average.mixing == statistics::Mixing::mixed && !average.members_disagree &&
                                   longest * statistics::memories_of_slow > simulation.length
                               ? tau
                               : longest;
    return std::numbers::sqrt2 * std::sqrt(tau * std::max(tau, slowest)) * average.standard_deviation /
           (simulation.length * simulation.members);
  }

  void fill(std::size_t j) {
    Column& column = result_.columns[j];
    const double runs = runs_per_column(column);
    runs_done_ += runs;
    if (runs == 0) {
      column.zero = true;
      column.remark = "appears nowhere: exactly zero";
      for (std::size_t m = 0; m < result_.rows(); ++m) {
        const std::size_t at = result_.at(m, j);
        result_.value[at] = result_.standard_error[at] = result_.sampling_error[at] = 0;
      }
      return;
    }
    runs_.next_part((1 + runs_done_) / all_runs_, runs);
    const symbolic::Parameter& parameter = model_.parameter(column.parameter);
    const double below = parameter.value - parameter.lower, above = parameter.upper - parameter.value;
    Side side = Side::both;
    double largest = std::min(below, above);
    if (!(largest > 0)) {
      side = below > 0 ? Side::below : Side::above;
      largest = std::max(below, above) / 2;
      column.remark = fmt::format("{} stands on its {} bound: a difference to one side", parameter.name,
                                  side == Side::below ? "upper" : "lower");
    }
    if (!(largest > 0)) {
      column.remark = fmt::format("the bounds of {} leave no room for a step", parameter.name);
      return;
    }
    // The largest weight of a run in a one-sided difference is four times that in a central one.
    scales_.missed_event = missed_event_;
    for (double& event : scales_.missed_event) event *= side == Side::both ? 1 : 4;
    StepSearch found;
    if (const auto given = options_.steps.find(parameter.name); given != options_.steps.end())
      found.step = given->second;
    else if (options_.relative_step)
      found.step = *options_.relative_step * std::max(std::abs(parameter.value), 1.0);
    else
      found = searched_step(column, parameter, largest, side);
    if (found.step > largest) {
      remark(column,
             fmt::format("step shortened from {:g} to stay within the bounds of {}", found.step, parameter.name));
      found.step = largest;
    }
    if (found.step > 0) take(j, found, side);
  }

  /// 1 if the parameter is 0 and neither drift nor noise depends on it.
  double natural_change_of(const symbolic::Parameter& parameter) const {
    const double natural = natural_change(model_, parameter.name, moments_);
    return std::isfinite(natural) ? natural : parameter.value != 0 ? std::abs(parameter.value) : 1;
  }

  /// Returns a step of 0 if there is none.
  StepSearch searched_step(Column& column, const symbolic::Parameter& parameter, double largest, Side side) {
    const double natural = natural_change_of(parameter);
    const double size = parameter.value != 0 ? std::abs(parameter.value) : natural;
    largest = std::min(largest, largest_step * std::max(std::abs(parameter.value), natural));
    const StepSearch search =
        search_step([&](double step) { return runs_.difference(parameter.name, step, pilot_length_, side); },
                    first_step * size, largest, scales_);
    if (search.status == simulate::Status::cancelled) note_cancellation(search.explanation);
    if (search.status == simulate::Status::unstable) remark(column, "no step found: " + search.explanation);
    return search;
  }

  void take(std::size_t j, StepSearch found, Side side) {
    Column& column = result_.columns[j];
    double& step = found.step;
    for (int halvings = 0; halvings <= most_halvings; ++halvings) {
      const DifferenceRuns::Result runs = runs_.difference(column.parameter, step, runs_.options().length, side);
      if (runs.status == simulate::Status::cancelled) return note_cancellation(runs.explanation);
      if (runs.status == simulate::Status::done) {
        column.step = step;
        enter(j, runs.quotients);
        remove_time_step_bias(j, step, side);
        measure_bias(j, runs.quotients, side, found.bias);
        return add_bias(j, found.bias);
      }
      step /= 2;
      for (double& bias : found.bias) bias /= 4;
      remark(column, fmt::format("step halved to {:g}: {}", step, runs.explanation));
    }
    remark(column, "no step found");
  }

  static void remark(Column& column, const std::string& text) {
    column.remark += (column.remark.empty() ? "" : "; ") + text;
  }

  struct Entry {
    double value = 0, sampling_error = 0, standard_error = 0, degrees_of_freedom = 0;
  };
  Entry entry_of(std::size_t m, const Quotients& quotients) const {
    const bool parts = quotients.units[m].size() > static_cast<std::size_t>(runs_.options().members);
    const std::vector<double> units = parts && !parts_independent_ ? by_member(quotients.units[m]) : quotients.units[m];
    const double freedom = static_cast<double>(units.size()) - 1;
    const double tails = statistics::heavy_tail_factor(statistics::effective_degrees_of_freedom(units)) /
                         statistics::heavy_tail_factor(freedom);
    const double sampling = tails * standard_error(units);
    return {mean(units), sampling, std::hypot(sampling, scales_.missed_event[m] / quotients.step), freedom};
  }

  void enter(std::size_t j, const Quotients& quotients) {
    for (std::size_t m = 0; m < result_.rows(); ++m) {
      const Entry entry = entry_of(m, quotients);
      const std::size_t at = result_.at(m, j);
      result_.value[at] = entry.value;
      result_.standard_error[at] = entry.standard_error;
      result_.sampling_error[at] = entry.sampling_error;
      result_.degrees_of_freedom = entry.degrees_of_freedom;
      if (!std::isfinite(entry.value))
        remark(result_.columns[j], fmt::format("{} is not a finite number at all times with a step of {:g}",
                                               result_.statistics[m].name, quotients.step));
    }
  }

  /// Computes the same quotients with a longer time step to estimate its bias. If the bias is significant, it is
  /// subtracted, and a quarter of it is added to the error for higher orders; otherwise all of it is added to the
  /// error.
  void remove_time_step_bias(std::size_t j, double step, Side side) {
    constexpr double significant = 3, higher_orders = 0.25;
    for (const int ratio : simulate::coarser_ratios) {
      const DifferenceRuns::Result runs =
          runs_.difference(result_.columns[j].parameter, step, runs_.options().length, side, ratio);
      if (runs.status == simulate::Status::cancelled) {
        for (std::size_t m = 0; m < result_.rows(); ++m) result_.withhold(result_.at(m, j));
        return note_cancellation(runs.explanation);
      }
      if (runs.status != simulate::Status::done) continue;
      const double share = 1 / simulate::excess_bias(model_, runs_.options().scheme, ratio);
      for (std::size_t m = 0; m < result_.rows(); ++m) {
        const std::size_t at = result_.at(m, j);
        double &value = result_.value[at], &error = result_.standard_error[at], &sampling = result_.sampling_error[at];
        const Entry coarse = entry_of(m, runs.quotients);
        const double change = coarse.value - value, noise = std::hypot(coarse.standard_error, error);
        if (!std::isfinite(noise)) continue;
        const double bias = share * change;
        if (std::abs(change) > significant * noise) {
          value -= bias;
          sampling = std::hypot((1 + share) * sampling, share * coarse.sampling_error);
          error = std::hypot((1 + share) * error, share * coarse.standard_error, higher_orders * bias);
        } else if (std::abs(change) > noise) {
          error = std::hypot(error, share * std::sqrt(change * change - noise * noise));
        }
      }
      return;
    }
    remark(result_.columns[j], "members blow up with twice the time step: its bias is not in the errors");
  }

  /// If bounds of the bias dominate the errors of a column, runs of full length at half the step replace them.
  void measure_bias(std::size_t j, const Quotients& quotients, Side side, std::vector<double>& bias) {
    constexpr double dominant = 2;
    double bounds = 0, noise = 0;
    for (std::size_t m = 0; m < bias.size(); ++m) {
      if (!(scales_.deviation[m] > 0)) continue;
      bounds += std::pow(bias[m] / scales_.deviation[m], 2);
      noise += std::pow(result_.standard_error[result_.at(m, j)] / scales_.deviation[m], 2);
    }
    if (!(bounds > dominant * dominant * noise)) return;
    const DifferenceRuns::Result half =
        runs_.difference(result_.columns[j].parameter, quotients.step / 2, runs_.options().length, side);
    if (half.status == simulate::Status::cancelled) return note_cancellation(half.explanation);
    if (half.status != simulate::Status::done) return;
    const std::vector<double> measured = measured_bias(quotients, half.quotients);
    for (std::size_t m = 0; m < bias.size(); ++m)
      if (measured[m] < bias[m]) bias[m] = measured[m];
  }

  void add_bias(std::size_t j, const std::vector<double>& bias) {
    for (std::size_t m = 0; m < bias.size(); ++m) {
      double& error = result_.standard_error[result_.at(m, j)];
      error = std::hypot(error, bias[m]);
    }
  }

  void note_cancellation(const std::string& explanation) {
    cancelled_ = true;
    result_.diagnostics.push_back(
        {.check = Check::completion,
         .verdict = Verdict::failed,
         .text = explanation,
         .remedy = "Begin it again; a tenth of simulation.length takes a tenth of the time."});
  }

  void say_what_is_missing() {
    std::vector<std::string> missing;
    bool without_error = false;
    for (std::size_t j = 0; j < result_.columns.size(); ++j) {
      bool complete = true;
      for (std::size_t m = 0; m < result_.rows(); ++m) {
        complete = complete && std::isfinite(result_.value[result_.at(m, j)]);
        without_error = without_error || (complete && std::isnan(result_.standard_error[result_.at(m, j)]));
      }
      if (!complete) missing.push_back(fmt::format("{} ({})", result_.columns[j].parameter, result_.columns[j].remark));
    }
    Diagnostic columns{.check = Check::columns, .text = "Every column was estimated."};
    if (!missing.empty()) {
      columns.verdict = Verdict::failed;
      columns.text = fmt::format("There is no derivative with respect to {}.", fmt::join(missing, ", "));
      columns.remedy = "Give a step of a tenth (response.steps), or use --method gfdt, which takes none.";
    }
    result_.diagnostics.push_back(std::move(columns));
    if (without_error)
      result_.diagnostics.push_back(
          {.check = Check::error_bars,
           .verdict = Verdict::warning,
           .text = "One member is too short to tell the errors of the differences.",
           .remedy = fmt::format("Use at least {} (simulation.members).", statistics::fewest_members)});
  }

  const symbolic::Model& model_;
  const Options& options_;
  DifferenceRuns runs_;
  Jacobian result_;
  std::vector<statistics::Average> moments_;  ///< means and mean squares of the states
  std::vector<double> missed_event_;          ///< of each observable, for central differences
  StepScales scales_;                         ///< for the current column
  double pilot_length_ = 0;
  bool parts_independent_ = false;
  bool cancelled_ = false;
  double all_runs_ = 1, runs_done_ = 0;
};

}  // namespace

Jacobian finite_difference_jacobian(const symbolic::Model& model, const simulate::Options& simulation,
                                    const Options& options, const std::vector<std::string>& parameters,
                                    const simulate::Control& control, const Wanted& wanted) {
  if (std::string problem = simulation.problem(); !problem.empty()) throw Error(problem);
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  for (const std::string& parameter : parameters) model.parameter(parameter);
  for (const auto& [parameter, step] : options.steps) model.parameter(parameter);
  return FiniteDifferences(model, simulation, options, control).run(parameters, wanted);
}

}  // namespace gfdt::jacobian

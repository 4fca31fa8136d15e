#include "gfdt/jacobian/selection/method_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/jacobian/estimate.hpp"
#include "gfdt/jacobian/remainder/remainder.hpp"

namespace gfdt::jacobian {
namespace {

/// A pilot run has this share of the members of the full run, or a shorter run if that would be too few members. A
/// pilot that is too short for a method, because correlations oscillate for longer than their integral indicates, is
/// repeated at full length.
constexpr double pilot_share = 0.1, fewest_memories = 100;
constexpr int fewest_members = 16;
/// If the unresolved share of every observable exceeds this, the remainder is no easier to estimate than the whole
/// response.
constexpr double worthwhile_share = 0.3;

bool helps(const ControlledJacobian& leading) {
  return leading.run.control && std::ranges::min(leading.run.control->share) < worthwhile_share;
}

/// Columns of a Jacobian of leading terms.
ControlledJacobian columns_of(const ControlledJacobian& all, const std::vector<std::size_t>& columns) {
  ControlledJacobian part = all;
  Jacobian& to = part.result.jacobian;
  const Jacobian& from = all.result.jacobian;
  to.columns.clear();
  to.value.clear();
  to.standard_error.clear();
  to.sampling_error.clear();
  if (part.run.control) part.run.control->leading.clear();
  for (const std::size_t j : columns) to.columns.push_back(from.columns[j]);
  for (std::size_t m = 0; m < from.rows(); ++m)
    for (const std::size_t j : columns) {
      to.value.push_back(from.value[from.at(m, j)]);
      to.standard_error.push_back(from.standard_error[from.at(m, j)]);
      to.sampling_error.push_back(from.sampling_error[from.at(m, j)]);
      if (part.run.control) part.run.control->leading.push_back(all.run.control->leading[from.at(m, j)]);
    }
  to.score_error.assign(to.value.size(), 0.0);
  to.simulated_time = 0;
  return part;
}

simulate::Options pilot_of(simulate::Options options, double memory) {
  const auto least = [](double wanted, double whole) { return std::min(whole, std::max(pilot_share * whole, wanted)); };
  options.burn_in = options.burn_in_time();
  options.members = static_cast<int>(least(fewest_members, options.members));
  if (options.members <= fewest_members) options.length = least(fewest_memories * memory, options.length);
  options.seed = score::held_out_run(options).seed;
  return options;
}

class MethodTrials {
 public:
  MethodTrials(const GfdtProblem& problem, const ControlledJacobian& leading, const std::vector<std::size_t>& columns,
               const simulate::Control& control)
      : problem_(problem), leading_(leading), columns_(columns), control_(control) {
    const simulate::Options& whole = problem.source.options();
    simulate::Options part = pilot_of(whole, leading.run.run.longest_memory());
    add_pilot(part);
    if (part.length < whole.length) {
      part.length = whole.length;
      add_pilot(part);
    }
    const std::vector<double> errors = absolute_errors(leading.result.jacobian),
                              sizes = sizes_of_columns(leading.result.jacobian);
    for (const std::size_t j : columns) {
      leading_error_.push_back(errors[j]);
      smallest_error_.push_back(std::isfinite(errors[j]) ? errors[j] : std::numeric_limits<double>::infinity());
      result_.size.push_back(std::isfinite(errors[j]) ? sizes[j] : 0);
    }
  }

  Trials run() {
    // Fitting scores takes longer than the runs, so they are tried only for columns that no other method can estimate.
    const double nothing = std::numeric_limits<double>::max();
    const double wanted = problem_.response.accuracy.value_or(problem_.thresholds.of_leading_terms);
    attempt(Method::likelihood_ratio, wanted);
    if (problem_.functions.empty())
      attempt(Method::finite_difference, problem_.response.accuracy.value_or(problem_.thresholds.of_one_run));
    const bool known = problem_.given || score_by_formula();
    if (known || mixed())
      attempt(Method::gfdt, known ? wanted : nothing);
    else
      result_.failures.push_back(
          fmt::format("{}: no score is fitted to members that have not mixed.", name(Method::gfdt)));
    return std::move(result_);
  }

 private:
  struct Pilot {
    simulate::ModelSource source;
    double share;  ///< of the full run
  };
  void add_pilot(const simulate::Options& part) {
    const simulate::Options& whole = problem_.source.options();
    pilots_.push_back(
        {simulate::ModelSource(problem_.model, part), part.length * part.members / (whole.length * whole.members)});
  }

  bool cancelled() const { return control_.cancellation && control_.cancellation->requested(); }

  /// Tries a method for columns for which neither the leading terms nor a candidate reach this error.
  void attempt(Method method, double error) {
    std::vector<std::size_t> tried, columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto good = [&](const Candidate& one) { return result_.relative_error(one, i) <= error; };
      if (leading_error_[i] <= error * result_.size[i] || std::ranges::any_of(result_.candidates, good)) continue;
      tried.push_back(i);
      columns.push_back(columns_[i]);
    }
    if (tried.empty()) return;
    Jacobian pilot;
    double share = 1;
    for (std::size_t i = 0; i < pilots_.size() && !cancelled() && (i == 0 || !pilot.usable()); ++i) {
      try {
        pilot = columns_by(method, problem_, leading_, pilots_[i].source, columns, control_).jacobian;
      } catch (const Error& refusal) {
        result_.failures.push_back(fmt::format("{}: {}", name(method), refusal.what()));
        return;
      }
      share = pilots_[i].share;
      result_.simulated_time += pilot.simulated_time;
    }
    if (cancelled()) return;
    if (!pilot.usable()) {
      result_.failures.push_back(fmt::format("{}: {}", name(method), reason_of_failure(pilot)));
      return;
    }
    Candidate candidate{method, std::vector<double>(columns_.size(), std::nan("")), pilot.simulated_time / share};
    const std::vector<double> own = absolute_errors(pilot), sizes = sizes_of_columns(pilot);
    const std::vector<double> errors = predicted(method, pilot, columns, share);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      candidate.error[tried[i]] = errors[i];
      if (!(own[i] < smallest_error_[tried[i]])) continue;
      smallest_error_[tried[i]] = own[i];
      result_.size[tried[i]] = sizes[i];
    }
    if (method == Method::finite_difference) candidate.cost /= static_cast<double>(tried.size());
    candidate.trusted = std::ranges::none_of(pilot.diagnostics, [](const Diagnostic& diagnostic) {
      const bool of_score = diagnostic.check == Check::score || diagnostic.check == Check::score_drift ||
                            diagnostic.check == Check::score_noise;
      return of_score && !diagnostic.passed();
    });
    result_.candidates.push_back(std::move(candidate));
  }

  /// Predicted errors at full length; those of leading terms already come from a full run.
  std::vector<double> predicted(Method method, Jacobian pilot, const std::vector<std::size_t>& columns,
                                double share) const {
    const bool remainder = method != Method::finite_difference && helps(leading_);
    for (std::size_t m = 0; m < pilot.rows(); ++m)
      for (std::size_t i = 0; i < columns.size(); ++i) {
        double& error = pilot.standard_error[pilot.at(m, i)];
        const std::size_t entry = leading_.result.jacobian.at(m, columns[i]);
        const double known = remainder ? leading_.run.control->leading[entry].standard_error : 0;
        const double fixed = known < error ? known * known : 0;
        error = std::sqrt(fixed + (error * error - fixed) * share);
      }
    return absolute_errors(pilot);
  }

  bool mixed() const {
    const auto one = [](const statistics::Average& average) { return average.mixing != statistics::Mixing::not_mixed; };
    const statistics::EnsembleStatistics& run = leading_.run.run;
    return std::ranges::all_of(run.observables, one) && std::ranges::all_of(run.monitored, one);
  }

  bool score_by_formula() const {
    try {
      return score::choose(problem_.model, problem_.score).method == score::Method::exact;
    } catch (const Error&) {
      return false;  // there is no exact score; the pilot reports the reason
    }
  }

  const GfdtProblem& problem_;
  const ControlledJacobian& leading_;
  const std::vector<std::size_t>& columns_;
  const simulate::Control& control_;
  std::vector<double> leading_error_, smallest_error_;  ///< absolute, of each column
  std::vector<Pilot> pilots_;                           ///< the cheapest first
  Trials result_;
};

}  // namespace

GfdtJacobian columns_by(Method method, const GfdtProblem& problem, const ControlledJacobian& leading,
                        const simulate::Source& source, const std::vector<std::size_t>& columns,
                        const simulate::Control& control) {
  GfdtProblem asked = problem.of(problem.model, source);
  asked.parameters.clear();
  for (const std::size_t j : columns) asked.parameters.push_back(problem.parameters[j]);
  asked.response.method = method;
  asked.response.control_variate = false;
  if (method == Method::finite_difference || !helps(leading)) return estimate(asked, control);
  return with_remainder(asked, columns_of(leading, columns), control);
}

Trials run_trials(const GfdtProblem& problem, const ControlledJacobian& leading,
                  const std::vector<std::size_t>& columns, const simulate::Control& control) {
  // A recorded trajectory permits only one method and no pilot.
  if (!problem.source.of_model())
    return {.candidates = {{Method::gfdt, std::vector<double>(columns.size(), 0.0), 1}},
            .size = std::vector<double>(columns.size(), 1.0),
            .failures = {}};
  return MethodTrials(problem, leading, columns, control).run();
}

std::string reason_of_failure(const Jacobian& jacobian) {
  for (const Diagnostic& diagnostic : jacobian.diagnostics)
    if (diagnostic.verdict == Verdict::failed) return diagnostic.text;
  return {};
}

}  // namespace gfdt::jacobian

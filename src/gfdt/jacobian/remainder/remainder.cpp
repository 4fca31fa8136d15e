#include "gfdt/jacobian/remainder/remainder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/jacobian/direct_terms.hpp"
#include "gfdt/jacobian/estimate.hpp"

namespace gfdt::jacobian {
namespace {

/// Largest interval between samples of the remainder, in autocorrelation times of the fastest observable: the variance
/// of its average is then at most 8 % larger than with all samples.
constexpr double apart = 1;
/// One evaluation of A + L u costs as much as about fifty steps: beyond this number of samples, at most one sample is
/// taken in this many steps.
constexpr double many_samples = 1e6, steps_per_sample = 50;
/// u is rejected if the standard deviation of A + L u in another run, relative to that of A, exceeds this factor times
/// the value predicted from states that were not used to fit u. The threshold is clamped to the limits.
constexpr double far_more = 3, least_limit = 0.5, most_limit = 1.5;

/// Options of the run for the remainder. It uses other random numbers, since A + L u is smaller at the states to which
/// u was fitted than at others. It is sampled less often, since A + L u decorrelates faster than A and its evaluation
/// takes longer than a step.
simulate::Options run_of_remainder(const simulate::Options& first, const std::vector<statistics::Average>& statistics) {
  simulate::Options options = score::held_out_run(first);
  double fastest = options.length;
  for (const statistics::Average& average : statistics)
    if (std::isfinite(average.autocorrelation_time)) fastest = std::min(fastest, average.autocorrelation_time);
  const double samples = static_cast<double>(options.samples()) * options.members;
  const double by_memory = apart * fastest / options.sample_interval();
  const double by_cost = std::min(steps_per_sample / options.cadence, samples / many_samples);
  if (const double times = std::floor(std::max(by_memory, by_cost)); times > 1)
    options.cadence *= static_cast<int>(times);
  return options;
}

class Remainder {
 public:
  Remainder(const GfdtProblem& problem, ControlledJacobian& leading, const simulate::Control& control)
      : problem_(problem),
        leading_(leading),
        control_(control),
        thinner_(problem.model, run_of_remainder(problem.source.options(), leading.result.jacobian.statistics)),
        all_rows_(control_variate::residuals(problem.model, *leading.run.control,
                                             control_variate::observables_of(problem.model, problem.functions))),
        rejected_(leading.result.jacobian.rows(), false) {}

  /// The remainder of every row. Rows whose control variate is rejected receive the whole response.
  GfdtJacobian run() {
    GfdtJacobian rest = attempt();
    if (!rest.jacobian.usable() || !reject(rest.jacobian)) return rest;
    const double time = rest.jacobian.simulated_time, seconds = rest.jacobian.wall_seconds;
    rest = attempt();
    rest.jacobian.simulated_time += time;
    rest.jacobian.wall_seconds += seconds;
    return rest;
  }

  bool rejected(std::size_t row) const { return rejected_[row]; }

 private:
  GfdtJacobian attempt() const {
    // The derivatives of the observables themselves are already in the leading terms.
    symbolic::Model residual = problem_.model;
    statistics::ObservedFunctions functions;
    for (std::size_t m = 0; m < rejected_.size(); ++m) {
      symbolic::Observable& observable = residual.observables[m];
      if (!rejected_[m]) {
        observable.formula = 0.0;
        functions.emplace(observable.name, all_rows_.at(observable.name));
      } else if (const auto own = problem_.functions.find(observable.name); own != problem_.functions.end()) {
        functions.emplace(observable.name, own->second);
      }
    }
    GfdtProblem asked = problem_.of(residual, problem_.source.of_model() ? thinner_ : problem_.source);
    asked.response.control_variate = false;
    asked.functions = std::move(functions);
    return estimate(asked, control_);
  }

  /// Rejects u if A + L u varies much more than at the states of the first run, which means that u extrapolates.
  /// Returns whether any row is rejected.
  bool reject(const Jacobian& rest) {
    Jacobian& jacobian = leading_.result.jacobian;
    std::vector<std::string> names;
    for (std::size_t m = 0; m < rejected_.size(); ++m) {
      const double deviation = jacobian.statistics[m].standard_deviation;
      const double limit = std::clamp(far_more * leading_.run.control->share[m], least_limit, most_limit) * deviation;
      if (!(deviation > 0) || rest.statistics[m].standard_deviation <= limit) continue;
      rejected_[m] = true;
      names.push_back(jacobian.statistics[m].name);
      statistics::restore_plain(jacobian.statistics, jacobian.statistics_covariance, m);
    }
    if (names.empty()) return false;
    jacobian.diagnostics.push_back(
        {.check = Check::held_out_run,
         .text = fmt::format("The control variate of {} was rejected: in a run with other random numbers it varies "
                             "far more than where it was fitted. The plain average and response are used.",
                             fmt::join(names, ", "))});
    return true;
  }

  const GfdtProblem& problem_;
  ControlledJacobian& leading_;
  const simulate::Control& control_;
  simulate::ModelSource thinner_;
  statistics::ObservedFunctions all_rows_;
  std::vector<bool> rejected_;
};

/// Adds checks that passed in the first run and fail in that of the remainder, whose different random numbers reveal
/// what the first run has missed.
void note_failures(const std::vector<Diagnostic>& rest, std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& failed : rest) {
    const auto known = std::ranges::find(diagnostics, failed.check, &Diagnostic::check);
    if (failed.passed() || known == diagnostics.end() || !known->passed()) continue;
    *known = failed;
    known->verdict = Verdict::warning;
    known->text = "In a run with other random numbers: " + failed.text;
  }
}

}  // namespace

GfdtJacobian with_remainder(const GfdtProblem& problem, ControlledJacobian leading, const simulate::Control& control) {
  Jacobian& jacobian = leading.result.jacobian;
  if (!jacobian.usable()) return std::move(leading.result);
  if (!leading.run.control) {
    GfdtProblem asked = problem;
    asked.response.control_variate = false;
    return estimate(asked, control);
  }
  Remainder remainder(problem, leading, control);
  GfdtJacobian rest = remainder.run();
  jacobian.simulated_time += rest.jacobian.simulated_time;
  jacobian.wall_seconds += rest.jacobian.wall_seconds;
  for (const Diagnostic& diagnostic : rest.jacobian.diagnostics)
    if (!jacobian.has_diagnostic(diagnostic.check)) jacobian.diagnostics.push_back(diagnostic);
  note_failures(rest.jacobian.diagnostics, jacobian.diagnostics);
  if (!rest.jacobian.usable()) return std::move(leading.result);
  const auto is_complete = [&](std::size_t j) {
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      if (!std::isfinite(jacobian.value[jacobian.at(m, j)])) return false;
    return true;
  };
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const bool lacked_entries = !is_complete(j);
    bool given = true;
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      given &= std::isfinite(rest.jacobian.value[rest.jacobian.at(m, j)]);
    if (!given) {
      jacobian.columns[j].remark = fmt::format("leading term alone: {}", rest.jacobian.columns[j].remark);
      continue;
    }
    jacobian.columns[j].method = rest.jacobian.columns[j].method;
    jacobian.columns[j].method.after_control_variate = true;
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const control_variate::Averaged& term = leading.run.control->leading[at];
      jacobian.score_error[at] = rest.jacobian.score_error[at];
      if (remainder.rejected(m)) {
        jacobian.value[at] = rest.jacobian.value[at];
        jacobian.standard_error[at] = rest.jacobian.standard_error[at];
        jacobian.sampling_error[at] = rest.jacobian.sampling_error[at];
        continue;
      }
      // No method can estimate this entry. An entry without a solution of its own consists of the remainder only.
      if (!std::isfinite(jacobian.value[at]) && std::isfinite(term.bias)) continue;
      jacobian.value[at] = term.value + rest.jacobian.value[at];
      jacobian.standard_error[at] =
          std::hypot(term.standard_error, leading.run.control->inflation[m] * rest.jacobian.standard_error[at]);
      jacobian.sampling_error[at] = std::hypot(term.sampling_error, rest.jacobian.sampling_error[at]);
    }
    if (lacked_entries && is_complete(j)) jacobian.columns[j].remark.clear();
  }
  // If an observable depends on a parameter without a formula for the derivative, no term includes this dependence.
  for (const DirectTerm& term : direct_terms(problem.model, problem.parameters))
    if (!term.unavailable.empty()) jacobian.withhold(jacobian.at(term.observable, term.parameter));
  jacobian.window = rest.jacobian.window;
  jacobian.degrees_of_freedom = std::min(jacobian.degrees_of_freedom, rest.jacobian.degrees_of_freedom);
  leading.result.score = std::move(rest.score);
  leading.result.basis = rest.basis;
  return std::move(leading.result);
}

}  // namespace gfdt::jacobian

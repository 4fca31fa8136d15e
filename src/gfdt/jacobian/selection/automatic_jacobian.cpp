#include "gfdt/jacobian/selection/automatic_jacobian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gfdt/base/readable_number.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/selection/method_trials.hpp"

namespace gfdt::jacobian {
namespace {

/// Largest total factor by which a run may be extended to reach an accuracy, and the safety margin of an extension.
constexpr double most_growth = 10, reserve = 1.3;
/// A run that would need a larger factor is not extended; methods may do better than the predicted errors.
constexpr double hopeless_growth = 1000;
/// Errors beyond this many times the predicted ones show that the prediction was wrong.
constexpr double surprise = 5;

/// The source with the run extended by this factor.
simulate::ModelSource longer_source(const GfdtProblem& problem, double times) {
  simulate::Options options = problem.source.options();
  options.burn_in = options.burn_in_time();
  options.length *= times;
  return {problem.model, options};
}

std::string predicted_error(double share) { return share >= 1 ? "over 100 %" : percent(share); }

class MethodSelector {
 public:
  MethodSelector(const GfdtProblem& problem, const simulate::Control& control) : problem_(problem), control_(control) {}

  GfdtJacobian run() {
    leading_ = controlled_jacobian(problem_, control_);
    result_ = leading_.result;
    Jacobian& jacobian = result_.jacobian;
    if (!jacobian.usable()) return std::move(result_);
    absolute_ = absolute_errors(jacobian);
    const std::vector<double> errors = relative_errors(jacobian);
    for (std::size_t j = 0; j < errors.size(); ++j)
      if (!(errors[j] <= problem_.response.accuracy.value_or(problem_.thresholds.of_leading_terms))) open_.push_back(j);
    if (!open_.empty()) complete();
    if (problem_.response.accuracy) lengthen_differences();
    report_failures();
    return std::move(result_);
  }

 private:
  void complete() {
    trials_ = run_trials(problem_, leading_, open_, control_);
    result_.jacobian.simulated_time += trials_.simulated_time;
    for (std::size_t i = 0; i < open_.size(); ++i) comparisons_.push_back(comparison(i));
    std::vector<std::size_t> remaining(open_.size());
    std::iota(remaining.begin(), remaining.end(), 0);
    std::vector<bool> promised(open_.size());
    can_difference_.assign(open_.size(), problem_.source.of_model() && problem_.functions.empty());
    for (const Candidate& candidate : trials_.candidates)
      for (std::size_t i = 0; i < open_.size(); ++i)
        if (candidate.method == Method::finite_difference && !std::isnan(candidate.error[i]))
          can_difference_[i] = false;
    std::vector<std::size_t> untried, left;
    while (!remaining.empty()) {
      std::vector<std::vector<std::size_t>> chosen(trials_.candidates.size());
      for (const std::size_t i : remaining) {
        if (const std::size_t best = best_for(i); best < chosen.size()) {
          chosen[best].push_back(i);
          promised[i] = true;
        } else {
          (promised[i] && can_difference_[i] ? untried : left).push_back(i);
        }
      }
      remaining.clear();
      for (std::size_t c = 0; c < chosen.size(); ++c)
        if (!chosen[c].empty()) run_chosen(trials_.candidates[c], chosen[c], remaining);
    }
    take_differences(untried, left);
    for (const std::size_t i : left)
      if (std::isfinite(leading_error(i))) keep_control_variate_column(i);
  }

  /// Tries finite differences for columns for which other methods were predicted to suffice but did not.
  void take_differences(const std::vector<std::size_t>& columns, std::vector<std::size_t>& left) {
    if (columns.empty()) return;
    for (const std::size_t i : columns) can_difference_[i] = false;
    Candidate differences{.method = Method::finite_difference,
                          .error = std::vector<double>(open_.size(), std::numeric_limits<double>::infinity())};
    run_chosen(differences, columns, left);
  }

  double leading_error(std::size_t i) const { return absolute_[open_[i]]; }

  /// The candidate with the lowest cost for a column, among those predicted to be better than the leading term.
  /// Candidates whose standard errors do not include all errors come last.
  std::size_t best_for(std::size_t i) const {
    std::size_t best = trials_.candidates.size();
    double least = std::numeric_limits<double>::infinity();
    for (const bool trusted : {true, false})
      for (std::size_t c = 0; c < trials_.candidates.size() && (trusted || best == trials_.candidates.size()); ++c) {
        const Candidate& candidate = trials_.candidates[c];
        const double price = std::pow(candidate.error[i], 2) * std::sqrt(candidate.cost);
        const bool worse = std::isfinite(leading_error(i)) && !(candidate.error[i] < leading_error(i));
        if (!(price < least) || candidate.trusted != trusted || worse) continue;
        least = price;
        best = c;
      }
    return best;
  }

  /// Runs a candidate. Columns that are far less accurate than predicted, or less than the leading term, are returned
  /// to `remaining` for the next candidate or the leading term.
  void run_chosen(Candidate& candidate, const std::vector<std::size_t>& own, std::vector<std::size_t>& remaining) {
    const Method method = candidate.method;
    std::vector<std::size_t> columns;
    for (const std::size_t i : own) columns.push_back(open_[i]);
    GfdtJacobian found = columns_by(method, problem_, leading_, problem_.source, columns, control_);
    Jacobian& jacobian = result_.jacobian;
    if (!found.jacobian.usable()) {
      jacobian.simulated_time += found.jacobian.simulated_time;
      trials_.failures.push_back(fmt::format("{}: {}", name(method), reason_of_failure(found.jacobian)));
      for (const std::size_t i : own) candidate.error[i] = std::nan("");
      if (!(control_.cancellation && control_.cancellation->requested()))
        remaining.insert(remaining.end(), own.begin(), own.end());
      return;
    }
    const std::vector<double> errors = absolute_errors(found.jacobian);
    Jacobian better = std::move(found.jacobian);
    const double time = better.simulated_time;
    better.simulated_time = 0;
    bool taken = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double expected = std::exchange(candidate.error[own[i]], std::nan(""));
      const bool worse = leading_error(own[i]) <= errors[i] || !std::isfinite(errors[i]);
      const bool surprising = problem_.source.of_model() && errors[i] > surprise * expected;
      const bool alternative = best_for(own[i]) < trials_.candidates.size() || std::isfinite(leading_error(own[i])) ||
                               can_difference_[own[i]];
      if (alternative && (worse || surprising)) {
        remaining.push_back(own[i]);
        for (std::size_t m = 0; m < better.rows(); ++m) better.value[better.at(m, i)] = std::nan("");
        continue;
      }
      taken = true;
      keep_resolved_entries(better, i, columns[i]);
      add_remark(better.columns[i], comparisons_[own[i]]);
    }
    put_columns(better, columns, jacobian);
    jacobian.simulated_time += time;
    for (std::size_t m = 0; m < std::min(better.rows(), jacobian.rows()); ++m)
      if (!better.statistics[m].plain && better.has_diagnostic(Check::held_out_run))
        statistics::restore_plain(jacobian.statistics, jacobian.statistics_covariance, m);
    if (!taken) return;
    for (const Diagnostic& diagnostic : better.diagnostics)
      if (diagnostic.check != Check::columns && !jacobian.has_diagnostic(diagnostic.check))
        jacobian.diagnostics.push_back(diagnostic);
    if (method == Method::gfdt) {
      result_.score = std::move(found.score);
      result_.basis = found.basis;
      jacobian.window = better.window;
    }
  }

  /// Keeps the leading terms of observables that the functions of the control variate resolve, if their errors are
  /// smaller.
  void keep_resolved_entries(Jacobian& better, std::size_t i, std::size_t column) const {
    constexpr double resolved = 0.05;
    if (!leading_.run.control) return;
    const Jacobian& leading = leading_.result.jacobian;
    for (std::size_t m = 0; m < better.rows(); ++m) {
      const std::size_t at = leading.at(m, column), to = better.at(m, i);
      if (!(leading_.run.control->share[m] < resolved) || !(leading.standard_error[at] < better.standard_error[to]))
        continue;
      better.value[to] = leading.value[at];
      better.standard_error[to] = leading.standard_error[at];
      better.sampling_error[to] = leading.sampling_error[at];
      if (!better.score_error.empty()) better.score_error[to] = 0;
    }
  }

  /// Extends the runs of finite-difference columns, which are separate runs, if an accuracy requires it.
  void lengthen_differences() {
    Jacobian& jacobian = result_.jacobian;
    const std::vector<double> errors = relative_errors(jacobian);
    for (std::size_t j = 0; j < errors.size(); ++j) {
      const double growth = reserve * std::pow(errors[j] / *problem_.response.accuracy, 2);
      if (!jacobian.columns[j].method.is(Method::finite_difference) || !(growth > reserve && growth <= most_growth))
        continue;
      const simulate::ModelSource longer = longer_source(problem_, growth);
      Jacobian again = columns_by(Method::finite_difference, problem_, leading_, longer, {j}, control_).jacobian;
      if (!again.usable() || !(relative_errors(again)[0] < errors[j])) {
        jacobian.simulated_time += again.simulated_time;
        continue;
      }
      again.columns[0].remark = jacobian.columns[j].remark;
      add_remark(again.columns[0], fmt::format("runs {:.2g} times as long for the accuracy", growth));
      put_columns(again, {j}, jacobian);
    }
  }

  static void add_remark(Column& column, const std::string& text) {
    if (!text.empty()) column.remark += fmt::format("{}{}", column.remark.empty() ? "" : "; ", text);
  }

  /// Adds the reasons of all methods to columns that none could estimate. A Jacobian without any column cannot be used.
  void report_failures() {
    if (trials_.failures.empty()) return;
    Jacobian& jacobian = result_.jacobian;
    const std::string reasons = fmt::format("{}", fmt::join(trials_.failures, " "));
    bool any = false;
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
      bool given = false;
      for (std::size_t m = 0; m < jacobian.rows(); ++m) given |= std::isfinite(jacobian.value[jacobian.at(m, j)]);
      any |= given;
      if (std::string& remark = jacobian.columns[j].remark; !given && remark.empty()) remark = reasons;
    }
    if (!any)
      jacobian.diagnostics.push_back({.check = Check::columns,
                                      .verdict = Verdict::failed,
                                      .text = fmt::format("No method gives a column. {}", reasons),
                                      .remedy = "Make the run longer (simulation.length), of more members."});
  }

  /// The predicted error of every method for a column; empty if nothing was tried.
  std::string comparison(std::size_t i) const {
    std::vector<std::string> pilots;
    for (const Candidate& candidate : trials_.candidates)
      if (const double error = trials_.relative_error(candidate, i); problem_.source.of_model() && std::isfinite(error))
        pilots.push_back(fmt::format("{} {}", name(candidate.method), predicted_error(error)));
    const double leading = leading_error(i) / trials_.size[i];
    if (pilots.empty()) return {};
    const std::string predicted = fmt::format("predicted errors: {}", fmt::join(pilots, ", "));
    return std::isfinite(leading) ? fmt::format("{}; control variate alone {}", predicted, predicted_error(leading))
                                  : predicted;
  }

  void keep_control_variate_column(std::size_t i) {
    Column& column = result_.jacobian.columns[open_[i]];
    column.remark = "leading term alone";
    add_remark(column, comparisons_[i]);
  }

  const GfdtProblem& problem_;
  const simulate::Control& control_;
  ControlledJacobian leading_;
  GfdtJacobian result_;
  std::vector<double> absolute_;      ///< errors of leading terms
  std::vector<std::size_t> open_;     ///< columns whose leading terms are not accurate enough
  Trials trials_;                     ///< for the open columns
  std::vector<bool> can_difference_;  ///< for the open columns: whether finite differences are possible and have not
                                      ///< been tried
  std::vector<std::string> comparisons_;
};

/// The worst relative error of all columns; infinite where one is missing.
double worst(const Jacobian& jacobian) {
  double result = 0;
  for (const double error : relative_errors(jacobian))
    result = std::isfinite(error) ? std::max(result, error) : std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace

bool asks_for_score(const Options& response, score::Method score) {
  return response.method == Method::automatic && (score != score::Method::automatic || response.window);
}

GfdtJacobian automatic_jacobian(const GfdtProblem& problem, const simulate::Control& control) {
  const Stopwatch watch;
  GfdtJacobian result = MethodSelector(problem, control).run();
  const auto timed = [&]() -> GfdtJacobian {
    result.jacobian.wall_seconds = watch.seconds();
    return std::move(result);
  };
  if (!problem.response.accuracy || !result.jacobian.usable()) return timed();
  const double wanted = *problem.response.accuracy;
  const double growth = reserve * std::pow(worst(result.jacobian) / wanted, 2);
  if (problem.source.of_model() && growth > reserve && growth <= hopeless_growth) {
    const simulate::ModelSource longer = longer_source(problem, std::min(growth, most_growth));
    const double before = result.jacobian.simulated_time;
    result = MethodSelector(problem.of(problem.model, longer), control).run();
    result.jacobian.simulated_time += before;
    if (!result.jacobian.usable()) return timed();
  }
  const double reached = worst(result.jacobian);
  Diagnostic diagnostic{.check = Check::accuracy, .verdict = reached <= wanted ? Verdict::passed : Verdict::warning};
  diagnostic.text =
      fmt::format("The columns are known to {} of their size; {} was requested.", percent(reached), percent(wanted));
  if (!diagnostic.passed() && std::isfinite(reached))
    diagnostic.remedy = fmt::format("It would take about {:.2g} times the simulated time: set simulation.length.",
                                    std::pow(reached / wanted, 2));
  result.jacobian.diagnostics.push_back(std::move(diagnostic));
  return timed();
}

}  // namespace gfdt::jacobian

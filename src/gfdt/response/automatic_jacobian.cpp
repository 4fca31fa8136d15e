#include "gfdt/response/automatic_jacobian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gfdt/core/error.hpp"
#include "gfdt/response/estimate.hpp"
#include "gfdt/response/remainder.hpp"

namespace gfdt::response {
namespace {

/// Pilot runs have so many of the members of the run itself; where these are few, they are shorter too.
constexpr double pilot_share = 0.1, fewest_memories = 100;
constexpr int fewest_members = 16;
/// How much longer than asked for a run may become for an accuracy, in all.
constexpr double most_growth = 10, reserve = 1.3;
/// Where it would have to be longer than this it stays as it is; methods may do better than errors foretell.
constexpr double hopeless_growth = 1000;

/// Where more than this is left of all observables, a remainder is no easier to come by than the whole.
constexpr double worthwhile_share = 0.3;

/// A way to columns that leading terms do not give well enough.
struct Candidate {
  Method method;
  std::string name;
  std::vector<double> error;  ///< of each column, foretold for the full length
  double cost = 0;            ///< simulated time for a column at full length
  bool trusted = true;        ///< whether its error bars tell all
};

/// Columns of a Jacobian of leading terms.
ControlledJacobian columns_of(const ControlledJacobian& all, const std::vector<std::size_t>& columns) {
  ControlledJacobian part = all;
  Jacobian& to = part.result.jacobian;
  const Jacobian& from = all.result.jacobian;
  to.columns.clear();
  to.value.clear();
  to.standard_error.clear();
  to.bias.clear();
  if (part.run.control) part.run.control->leading.clear();
  for (const std::size_t j : columns) to.columns.push_back(from.columns[j]);
  for (std::size_t m = 0; m < from.rows(); ++m)
    for (const std::size_t j : columns) {
      to.value.push_back(from.value[from.at(m, j)]);
      to.standard_error.push_back(from.standard_error[from.at(m, j)]);
      to.bias.push_back(from.bias[from.at(m, j)]);
      if (part.run.control) part.run.control->leading.push_back(all.run.control->leading[from.at(m, j)]);
    }
  to.score_error.assign(to.value.size(), 0.0);
  to.simulated_time = 0;
  return part;
}

class Automatic {
 public:
  Automatic(const GfdtProblem& problem, const simulate::Control& control) : problem_(problem), control_(control) {}

  GfdtJacobian run() {
    leading_ = controlled_jacobian(problem_, control_);
    result_ = leading_.result;
    Jacobian& jacobian = result_.jacobian;
    if (!jacobian.usable()) return std::move(result_);
    errors_ = relative_errors(jacobian);
    for (std::size_t j = 0; j < errors_.size(); ++j)
      if (!(errors_[j] <= wanted())) open_.push_back(j);
    if (!open_.empty()) complete();
    say_what_failed();
    return std::move(result_);
  }

 private:
  bool control_helps() const {
    return leading_.run.control && std::ranges::min(leading_.run.control->share) < worthwhile_share;
  }

  GfdtJacobian by(Method method, const simulate::Source& source, const std::vector<std::size_t>& columns) const {
    GfdtProblem asked = problem_.of(problem_.model, source);
    asked.parameters.clear();
    for (const std::size_t j : columns) asked.parameters.push_back(problem_.parameters[j]);
    asked.response.method = method;
    asked.response.control_variate = false;
    if (method == Method::finite_difference || !control_helps()) return estimate(asked, control_);
    return with_remainder(asked, columns_of(leading_, columns), control_);
  }

  void complete() {
    const std::vector<Candidate> candidates = try_candidates();
    std::vector<std::vector<std::size_t>> chosen(candidates.size());
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const double leading = errors_[open_[i]];
      const auto better = [&](const Candidate& candidate) { return candidate.error[i] < leading; };
      if (std::isfinite(leading) && std::ranges::none_of(candidates, better)) {
        keep_leading(candidates, i);
        continue;
      }
      std::size_t best = candidates.size();
      double least = std::numeric_limits<double>::infinity();
      for (const bool trusted : {true, false})
        for (std::size_t c = 0; c < candidates.size() && (trusted || best == candidates.size()); ++c)
          if (const double price = std::pow(candidates[c].error[i], 2) * std::sqrt(candidates[c].cost);
              price < least && candidates[c].trusted == trusted) {
            least = price;
            best = c;
          }
      if (best < candidates.size()) chosen[best].push_back(i);
    }
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (!chosen[c].empty()) run_chosen(candidates, c, chosen[c]);
  }

  std::vector<Candidate> try_candidates() {
    std::vector<Candidate> result;
    // A recorded trajectory can be looked at in one way only, and without a pilot.
    if (!problem_.source.of_model())
      return {{Method::gfdt, name(Method::gfdt), std::vector<double>(open_.size(), 0.0), 1}};
    simulate::Options options = problem_.source.options();
    options.burn_in = options.burn_in_time();
    const double full = options.length * options.members;
    const auto least = [](double wanted, double whole) {
      return std::min(whole, std::max(pilot_share * whole, wanted));
    };
    options.members = static_cast<int>(least(fewest_members, options.members));
    if (options.members <= fewest_members)
      options.length = least(fewest_memories * leading_.run.run.longest_memory(), options.length);
    options.seed = scoring::held_out_run(options).seed;
    const double share = options.length * options.members / full;
    const simulate::ModelSource source(problem_.model, options);
    // The cheapest first; the next is tried for the columns that those before do not give well enough. Scores that are
    // fitted take longer than the runs: they are for what nothing else gives.
    const bool formula = score_by_formula();
    for (const Method method : {Method::likelihood_ratio, Method::finite_difference, Method::gfdt}) {
      if (method == Method::finite_difference && !problem_.functions.empty()) continue;
      const bool last_resort = method == Method::gfdt && !formula && !problem_.given;
      const std::vector<std::size_t> tried =
          not_given(result, last_resort ? std::numeric_limits<double>::max() : wanted());
      if (tried.empty()) continue;
      if (control_.cancellation && control_.cancellation->requested()) break;
      std::vector<std::size_t> columns;
      for (const std::size_t i : tried) columns.push_back(open_[i]);
      Jacobian pilot;
      try {
        pilot = by(method, source, columns).jacobian;
      } catch (const Error& error) {
        failures_.push_back(fmt::format("{}: {}", name(method), error.what()));
        continue;  // it is not for this model
      }
      result_.jacobian.simulated_time += pilot.simulated_time;
      if (!pilot.usable()) {
        note_failure(method, pilot);
        continue;
      }
      Candidate candidate{method, name(method), std::vector<double>(open_.size(), std::nan("")),
                          pilot.simulated_time / share};
      const std::vector<double> errors = relative_errors(pilot);
      for (std::size_t i = 0; i < tried.size(); ++i) candidate.error[tried[i]] = errors[i] * std::sqrt(share);
      if (method == Method::finite_difference) candidate.cost /= static_cast<double>(tried.size());
      candidate.trusted = std::ranges::none_of(pilot.findings, [](const statistics::Finding& finding) {
        return finding.check.starts_with("score") && !finding.passed;
      });
      result.push_back(std::move(candidate));
    }
    return result;
  }

  bool score_by_formula() const {
    try {
      return scoring::choose(problem_.model, problem_.score).method == scoring::Method::exact;
    } catch (const Error&) {
      return false;  // there is none; the pilot will say why
    }
  }

  /// Open columns, by their place in the list, that no candidate gives with this error.
  std::vector<std::size_t> not_given(const std::vector<Candidate>& candidates, double error) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (std::ranges::none_of(candidates, [&](const Candidate& one) { return one.error[i] <= error; }))
        result.push_back(i);
    return result;
  }

  double wanted() const { return problem_.response.accuracy.value_or(good_enough); }

  void run_chosen(const std::vector<Candidate>& candidates, std::size_t which, const std::vector<std::size_t>& own) {
    std::vector<std::size_t> columns;
    for (const std::size_t i : own) columns.push_back(open_[i]);
    GfdtJacobian found = by(candidates[which].method, problem_.source, columns);
    Jacobian& jacobian = result_.jacobian;
    if (!found.jacobian.usable()) {
      jacobian.simulated_time += found.jacobian.simulated_time;
      note_failure(candidates[which].method, found.jacobian);
      return;
    }
    const std::vector<double> errors = relative_errors(found.jacobian);
    Jacobian better = std::move(found.jacobian);
    const double time = better.simulated_time;
    better.simulated_time = 0;
    bool taken = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (errors_[columns[i]] <= errors[i]) {
        keep_leading(candidates, own[i]);
        for (std::size_t m = 0; m < better.rows(); ++m) better.value[better.at(m, i)] = std::nan("");
        continue;
      }
      taken = true;
      std::string& remark = better.columns[i].remark;
      if (const std::string why = comparison(candidates, own[i]); !why.empty())
        remark += fmt::format("{}{}", remark.empty() ? "" : "; ", why);
    }
    put_columns(better, columns, jacobian);
    jacobian.simulated_time += time;
    if (!taken) return;
    for (const statistics::Finding& finding : better.findings)
      if (finding.check != "columns" &&
          std::ranges::none_of(jacobian.findings, [&](const auto& known) { return known.check == finding.check; }))
        jacobian.findings.push_back(finding);
    if (candidates[which].method == Method::gfdt) {
      result_.score = std::move(found.score);
      result_.basis = found.basis;
      jacobian.window = better.window;
    }
  }

  void note_failure(Method method, const Jacobian& failed) {
    for (const statistics::Finding& finding : failed.findings)
      if (!finding.passed && finding.fatal) {
        failures_.push_back(fmt::format("{}: {}", name(method), finding.verdict));
        return;
      }
  }

  /// Columns that no method gives have the reasons of all of them; a Jacobian without any column cannot be used.
  void say_what_failed() {
    if (failures_.empty()) return;
    Jacobian& jacobian = result_.jacobian;
    bool any = false;
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
      bool given = false;
      for (std::size_t m = 0; m < jacobian.rows(); ++m) given |= std::isfinite(jacobian.value[jacobian.at(m, j)]);
      any |= given;
      if (std::string& remark = jacobian.columns[j].remark; !given && remark.empty())
        remark = fmt::format("{}", fmt::join(failures_, " "));
    }
    if (!any)
      jacobian.findings.push_back({.check = "columns",
                                   .passed = false,
                                   .verdict = fmt::format("No method gives a column. {}", fmt::join(failures_, " ")),
                                   .advice = "Make the run longer (simulation.length), of more members.",
                                   .fatal = true});
  }

  /// What every method would have given a column; empty where nothing was tried.
  std::string comparison(const std::vector<Candidate>& candidates, std::size_t i) const {
    std::vector<std::string> pilots;
    for (const Candidate& candidate : candidates)
      if (problem_.source.of_model() && std::isfinite(candidate.error[i]))
        pilots.push_back(fmt::format("{} {:.2g} %", candidate.name, 100 * candidate.error[i]));
    const double leading = errors_[open_[i]];
    if (pilots.empty()) return {};
    const std::string foretold = fmt::format("pilot runs foretold {}", fmt::join(pilots, ", "));
    return std::isfinite(leading) ? fmt::format("{}; the leading term alone has {:.2g} %", foretold, 100 * leading)
                                  : foretold;
  }

  void keep_leading(const std::vector<Candidate>& candidates, std::size_t i) {
    std::string& remark = result_.jacobian.columns[open_[i]].remark;
    const std::string why = comparison(candidates, i);
    remark = fmt::format("leading term alone{}{}", why.empty() ? "" : "; ", why);
  }

  const GfdtProblem& problem_;
  const simulate::Control& control_;
  ControlledJacobian leading_;
  GfdtJacobian result_;
  std::vector<double> errors_;         ///< of leading terms
  std::vector<std::size_t> open_;      ///< columns that they do not give well enough
  std::vector<std::string> failures_;  ///< why methods could not be tried or run
};

/// The worst relative error of all columns; infinite where one is missing.
double worst(const Jacobian& jacobian) {
  double result = 0;
  for (const double error : relative_errors(jacobian))
    result = std::isfinite(error) ? std::max(result, error) : std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace

bool asks_for_score(const Options& response, scoring::Method score) {
  return response.method == Method::automatic && (score != scoring::Method::automatic || response.window);
}

GfdtJacobian automatic_jacobian(const GfdtProblem& problem, const simulate::Control& control) {
  const auto begin = std::chrono::steady_clock::now();
  GfdtJacobian result = Automatic(problem, control).run();
  const auto timed = [&]() -> GfdtJacobian {
    result.jacobian.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result);
  };
  if (!problem.response.accuracy || !result.jacobian.usable()) return timed();
  const double wanted = *problem.response.accuracy;
  const double growth = reserve * std::pow(worst(result.jacobian) / wanted, 2);
  if (problem.source.of_model() && growth > reserve && growth <= hopeless_growth) {
    simulate::Options options = problem.source.options();
    options.burn_in = options.burn_in_time();
    options.length *= std::min(growth, most_growth);
    const simulate::ModelSource longer(problem.model, options);
    const double before = result.jacobian.simulated_time;
    result = Automatic(problem.of(problem.model, longer), control).run();
    result.jacobian.simulated_time += before;
    if (!result.jacobian.usable()) return timed();
  }
  const double reached = worst(result.jacobian);
  statistics::Finding finding{.check = "accuracy", .passed = reached <= wanted};
  finding.verdict = fmt::format("The columns are known to {:.2g} % of their size; {:.2g} % was asked for.",
                                100 * reached, 100 * wanted);
  if (!finding.passed && std::isfinite(reached))
    finding.advice = fmt::format("It would take about {:.2g} times the simulated time: set simulation.length.",
                                 std::pow(reached / wanted, 2));
  result.jacobian.findings.push_back(std::move(finding));
  return timed();
}

}  // namespace gfdt::response

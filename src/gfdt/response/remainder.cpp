#include "gfdt/response/remainder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/poisson/residuals.hpp"
#include "gfdt/response/direct_terms.hpp"
#include "gfdt/response/estimate.hpp"

namespace gfdt::response {
namespace {

/// Samples of the remainder are this much apart, in autocorrelation times of the fastest observable, at most.
constexpr double apart = 0.25;

/// The run that remainders come from: of other random numbers, since A + L u is smaller at the states that u was fitted
/// to than at others; sampled less often, since it forgets faster than A and evaluating it takes longer than a step.
simulate::Options run_of_remainder(const simulate::Options& first, const std::vector<statistics::Average>& statistics) {
  simulate::Options options = scoring::held_out_run(first);
  double fastest = options.length;
  for (const statistics::Average& average : statistics)
    if (std::isfinite(average.autocorrelation_time)) fastest = std::min(fastest, average.autocorrelation_time);
  const double times = std::floor(apart * fastest / options.sample_interval());
  if (times > 1) options.cadence *= static_cast<int>(times);
  return options;
}

}  // namespace

GfdtJacobian with_remainder(const GfdtProblem& problem, ControlledJacobian leading, const simulate::Control& control) {
  Jacobian& jacobian = leading.result.jacobian;
  if (!jacobian.usable()) return std::move(leading.result);
  const simulate::ModelSource thinner(problem.model, run_of_remainder(problem.source.options(), jacobian.statistics));
  // What parameters do to observables themselves is in the leading terms already.
  model::Model residual = problem.model;
  if (leading.run.control)
    for (model::Observable& observable : residual.observables) observable.formula = 0.0;
  GfdtProblem asked = problem.of(residual, problem.source.of_model() ? thinner : problem.source);
  asked.response.control_variate = false;
  if (leading.run.control)
    asked.functions = poisson::residuals(problem.model, *leading.run.control,
                                         poisson::observables_of(problem.model, problem.functions));
  GfdtJacobian rest = estimate(asked, control);
  if (!leading.run.control) return rest;
  jacobian.simulated_time += rest.jacobian.simulated_time;
  jacobian.wall_seconds += rest.jacobian.wall_seconds;
  for (const statistics::Finding& finding : rest.jacobian.findings)
    if (std::ranges::none_of(jacobian.findings, [&](const auto& known) { return known.check == finding.check; }))
      jacobian.findings.push_back(finding);
  if (!rest.jacobian.usable()) return std::move(leading.result);
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    bool given = true;
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      given &= std::isfinite(rest.jacobian.value[rest.jacobian.at(m, j)]);
    if (!given) {
      jacobian.columns[j].remark = fmt::format("leading term alone: {}", rest.jacobian.columns[j].remark);
      continue;
    }
    jacobian.columns[j].method = fmt::format("control-variate, {}", rest.jacobian.columns[j].method);
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const poisson::Averaged& term = leading.run.control->leading[at];
      // An entry that no method can have; one that has no solution of its own is all remainder.
      if (!std::isfinite(jacobian.value[at]) && std::isfinite(term.bias)) continue;
      jacobian.value[at] = term.value + rest.jacobian.value[at];
      jacobian.standard_error[at] =
          std::hypot(term.standard_error, leading.run.control->inflation[m] * rest.jacobian.standard_error[at]);
      jacobian.score_error[at] = rest.jacobian.score_error[at];
      jacobian.bias[at] = 0;
    }
  }
  // What an observable's own dependence adds is in no term where it has no formula.
  for (const DirectTerm& term : direct_terms(problem.model, problem.parameters))
    if (const std::size_t at = jacobian.at(term.observable, term.parameter); !term.unavailable.empty())
      jacobian.value[at] = jacobian.standard_error[at] = std::nan("");
  jacobian.window = rest.jacobian.window;
  jacobian.degrees_of_freedom = std::min(jacobian.degrees_of_freedom, rest.jacobian.degrees_of_freedom);
  leading.result.score = std::move(rest.score);
  leading.result.basis = rest.basis;
  return std::move(leading.result);
}

}  // namespace gfdt::response

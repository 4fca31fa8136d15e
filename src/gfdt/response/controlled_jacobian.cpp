#include "gfdt/response/controlled_jacobian.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "gfdt/core/error.hpp"
#include "gfdt/response/direct_terms.hpp"

namespace gfdt::response {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Why the generator's change has no formula; empty when it has.
std::string obstacle(const model::Model& model, const std::string& parameter) {
  try {
    model::perturbation(model, parameter);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void fill(const poisson::ControlVariate& fit, Jacobian& jacobian) {
  for (std::size_t at = 0; at < jacobian.value.size(); ++at) {
    const poisson::Averaged& term = fit.leading[at];
    if (!std::isfinite(term.bias)) continue;
    jacobian.value[at] = term.value;
    jacobian.bias[at] = term.bias;
    jacobian.standard_error[at] = std::hypot(term.standard_error, term.bias);
  }
  jacobian.degrees_of_freedom = fit.degrees_of_freedom;
}

}  // namespace

statistics::Finding control_finding(const poisson::ControlledStatistics& run) {
  if (!run.control) {
    std::string why = run.without.empty() ? "it is not wanted" : run.without;
    if (!why.ends_with('.')) why += '.';
    return {.check = "control variate", .verdict = "There is none: " + why, .judged = false};
  }
  std::size_t functions = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t m = 0; m < run.run.observables.size(); ++m) {
    functions = std::max(functions, run.control->functions[m]);
    const statistics::Average& average = run.run.observables[m];
    const double gain = average.plain ? average.plain->standard_error / average.standard_error : 1;
    least = std::min(least, gain);
    most = std::max(most, gain);
  }
  if (most <= 1) return {.check = "control variate", .verdict = "No combination of functions makes errors smaller."};
  return {.check = "control variate",
          .verdict = fmt::format("{} functions of the state make the errors of the statistics {:.2g} to {:.2g} times "
                                 "smaller than plain averages of the same run have them.",
                                 functions, least, most)};
}

ControlledJacobian controlled_jacobian(const GfdtProblem& problem, const simulate::Control& control) {
  if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  if (problem.model.observables.empty())
    throw Error("The model has no observables: there is nothing to differentiate.");
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t rows = problem.model.observables.size(), columns = problem.parameters.size();
  const std::vector<DirectTerm> terms = direct_terms(problem.model, problem.parameters);
  poisson::Wanted wanted{
      .parameters = problem.parameters, .functions = problem.functions, .direct = {}, .additions = {}};
  for (const DirectTerm& term : terms)
    if (term.unavailable.empty()) wanted.direct.emplace_back(term.observable * columns + term.parameter, term.formula);
  ControlledJacobian made;
  made.run = poisson::controlled_statistics(problem.model, problem.source,
                                            {.wanted = problem.response.control_variate.value_or(true),
                                             .accuracy = problem.response.accuracy.value_or(good_enough)},
                                            wanted, control);
  Jacobian& jacobian = made.result.jacobian;
  for (const std::string& name : problem.parameters)
    jacobian.columns.push_back({name, "control-variate", 0, obstacle(problem.model, name)});
  jacobian.value.assign(rows * columns, missing);
  jacobian.standard_error = jacobian.bias = jacobian.value;
  jacobian.score_error.assign(rows * columns, 0.0);
  made.result.direct.resize(rows * columns);
  jacobian.findings = made.run.run.findings;
  jacobian.simulated_time = made.run.run.run.simulated_time;
  jacobian.statistics = made.run.run.observables;
  jacobian.statistics_covariance = made.run.run.mean_covariance;
  if (jacobian.usable()) jacobian.findings.push_back(control_finding(made.run));
  if (made.run.control) {
    fill(*made.run.control, jacobian);
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t m = 0; m < rows; ++m)
        if (Column& column = jacobian.columns[j];
            column.remark.empty() && std::isnan(jacobian.value[jacobian.at(m, j)]))
          column.remark = fmt::format("no entry for {}: no function of the dictionary goes along with it",
                                      problem.model.observables[m].name);
  }
  for (const DirectTerm& term : terms) {
    if (term.unavailable.empty()) continue;
    const std::size_t at = jacobian.at(term.observable, term.parameter);
    jacobian.value[at] = jacobian.standard_error[at] = jacobian.bias[at] = missing;
    std::string& remark = jacobian.columns[term.parameter].remark;
    remark += fmt::format("{}no entry for {}: {}", remark.empty() ? "" : "; ",
                          problem.model.observables[term.observable].name, term.unavailable);
  }
  jacobian.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return made;
}

}  // namespace gfdt::response

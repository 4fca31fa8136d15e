#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/finite_difference/step_limit.hpp"
#include "gfdt/jacobian/selection/jacobian_filling.hpp"

namespace gfdt::jacobian {
namespace {

ColumnOutlook outlook_of(const symbolic::Model& model, const std::string& parameter) {
  try {
    const symbolic::Perturbation change = symbolic::perturbation(model, parameter);
    const auto zero = [](const symbolic::Expression& formula) { return formula.is_number(0); };
    return {"", change.diffusion.empty() && std::ranges::all_of(change.drift, zero)};
  } catch (const Error& error) {
    return {error.what(), false};
  }
}

/// Rounding error of the normal equations relative to the size of a column: much smaller entries are not determined.
constexpr double rounding = 1e-9;

/// Possible error of an entry, as a share of its column, if a large share of its observable is unresolved: u then says
/// little about the response of the remainder.
double unresolved(double share) {
  constexpr double little = 0.3;
  return share > little ? std::sqrt((share * share - little * little) / (1 - little * little)) : 0;
}

/// The length of a column, its entries in standard deviations of the observables.
double length(const Jacobian& jacobian, std::size_t column) {
  double squares = 0;
  for (std::size_t m = 0; m < jacobian.rows(); ++m) {
    const double entry = jacobian.value[jacobian.at(m, column)] / jacobian.statistics[m].standard_deviation;
    if (std::isfinite(entry)) squares += entry * entry;
  }
  return std::sqrt(squares);
}

/// How much longer the memory of an observable is than the natural time of the model: its response may be larger by
/// this factor.
double lasting(const statistics::Average& average, double fastest) {
  return std::isfinite(average.autocorrelation_time) ? std::max(1.0, average.autocorrelation_time / fastest) : 1.0;
}

/// `natural`: the change of each parameter that alters the dynamics by their own magnitude.
void fill(const control_variate::ControlVariate& fit, const std::vector<double>& natural, double fastest,
          Jacobian& jacobian) {
  for (std::size_t at = 0; at < jacobian.value.size(); ++at) {
    const control_variate::Averaged& term = fit.leading[at];
    if (!std::isfinite(term.bias)) continue;
    jacobian.value[at] = term.value;
    jacobian.standard_error[at] = std::hypot(term.standard_error, term.bias);
    jacobian.sampling_error[at] = term.sampling_error;
  }
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const double size = length(jacobian, j);
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const double deviation = jacobian.statistics[m].standard_deviation;
      const double scale = std::max(size, 1 / natural[j]) * deviation;
      const double left = unresolved(fit.share[m]) * lasting(jacobian.statistics[m], fastest) * scale;
      jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], left, rounding * scale);
    }
  }
  jacobian.degrees_of_freedom = fit.degrees_of_freedom;
}

}  // namespace

ControlledJacobian controlled_jacobian(const GfdtProblem& problem, const simulate::Control& control) {
  if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  if (problem.model.observables.empty())
    throw Error("The model has no observables: there is nothing to differentiate.");
  const Stopwatch watch;
  const std::size_t rows = problem.model.observables.size(), columns = problem.parameters.size();
  const std::vector<DirectTerm> terms = direct_terms(problem.model, problem.parameters);
  control_variate::Wanted wanted{.parameters = problem.parameters, .functions = problem.functions, .direct = {}};
  for (const DirectTerm& term : terms)
    if (term.unavailable.empty()) wanted.direct.emplace_back(term.observable * columns + term.parameter, term.formula);
  ControlledJacobian made;
  made.run = control_variate::controlled_statistics(
      problem.model, problem.source,
      {.wanted = problem.response.control_variate.value_or(true),
       .accuracy = problem.response.accuracy.value_or(problem.thresholds.of_leading_terms)},
      wanted, control);
  Jacobian& jacobian = made.result.jacobian;
  std::vector<ColumnOutlook> outlook;
  for (const std::string& parameter : problem.parameters) outlook.push_back(outlook_of(problem.model, parameter));
  prepare(made.result, rows, problem.parameters, {Method::control_variate}, outlook, terms);
  take_statistics(made.run.run, rows, problem.source.options(), jacobian);
  if (made.run.control) {
    made.result.control = std::make_shared<const control_variate::ControlVariate>(*made.run.control);
    std::vector<double> natural;
    for (const std::string& parameter : problem.parameters)
      natural.push_back(natural_change(problem.model, parameter, made.run.run.monitored));
    fill(*made.run.control, natural, made.run.run.shortest_memory(), jacobian);
    widen_rare_rows(jacobian);
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
    jacobian.withhold(at);
    std::string& remark = jacobian.columns[term.parameter].remark;
    remark += fmt::format("{}no entry for {}: {}", remark.empty() ? "" : "; ",
                          problem.model.observables[term.observable].name, term.unavailable);
  }
  jacobian.wall_seconds = watch.seconds();
  return made;
}

}  // namespace gfdt::jacobian

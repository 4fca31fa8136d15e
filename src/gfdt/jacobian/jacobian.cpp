#include "gfdt/jacobian/jacobian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gfdt/statistics/checks/mixing.hpp"

namespace gfdt::jacobian {

bool Jacobian::usable() const { return gfdt::usable(diagnostics); }

bool Jacobian::complete() const { return gfdt::complete(diagnostics); }

std::string ColumnMethod::text() const {
  return fmt::format("{}{}{}", after_control_variate ? "control-variate, " : "", name(method),
                     score ? fmt::format(" ({})", score->name()) : "");
}

void Jacobian::withhold(std::size_t at) {
  value[at] = standard_error[at] = sampling_error[at] = std::numeric_limits<double>::quiet_NaN();
}

void withhold_unsupported_rows(Jacobian& jacobian) {
  std::map<std::string, std::vector<std::string>> rows_by_reason;
  std::size_t unsupported = 0;
  for (const statistics::Average& row : jacobian.statistics) {
    if (row.usable()) continue;
    ++unsupported;
    rows_by_reason[row.never_varied    ? "constant in this run"
                   : row.has_no_mean() ? "its mean does not exist"
                                       : "the members have not mixed"]
        .push_back(row.name);
  }
  if (unsupported == 0) return;
  std::vector<std::string> parts;
  for (const auto& [reason, rows] : rows_by_reason)
    parts.push_back(fmt::format("no entry for {}: {}", fmt::join(rows, ", "), reason));
  const std::string reasons = fmt::format("{}", fmt::join(parts, "; "));
  const bool all = unsupported == jacobian.rows();
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    Column& column = jacobian.columns[j];
    if (column.zero) continue;
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      if (!jacobian.statistics[m].usable()) jacobian.withhold(jacobian.at(m, j));
    if (column.withheld) continue;
    column.withheld = true;
    column.remark = column.remark.empty() || all ? reasons : fmt::format("{}; {}", column.remark, reasons);
  }
}

void widen_rare_rows(Jacobian& jacobian) {
  for (std::size_t m = 0; m < jacobian.rows(); ++m) {
    const std::optional<double>& events = jacobian.statistics[m].events;
    if (!events || !(*events > 0) || *events >= statistics::fewest_events) continue;
    const double factor = statistics::heavy_tail_factor(std::max(1.0, 2 * *events)) * std::sqrt(1 + 2 / *events);
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) jacobian.standard_error[jacobian.at(m, j)] *= factor;
  }
}

void widen_by_time_step(Jacobian& jacobian, std::span<const double> bias) {
  double share = 0;
  for (std::size_t m = 0; m < jacobian.rows(); ++m)
    if (const double own = bias[m] / jacobian.statistics[m].standard_deviation; std::isfinite(own))
      share = std::max(share, own);
  if (share == 0) return;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const Column& column = jacobian.columns[j];
    if (column.zero || column.method.is(Method::finite_difference) || column.method.is(Method::control_variate))
      continue;
    double squares = 0, entries = 0;
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      if (const double entry = jacobian.value[jacobian.at(m, j)] / jacobian.statistics[m].standard_deviation;
          std::isfinite(entry)) {
        squares += entry * entry;
        entries += 1;
      }
    const double typical = std::sqrt(squares / std::max(entries, 1.0));
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const double size = std::max(std::abs(jacobian.value[at]), typical * jacobian.statistics[m].standard_deviation);
      jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], share * size);
    }
  }
}

void widen_by_rare_states(Jacobian& jacobian, std::span<const RareSlopes> slopes, std::span<const double> natural) {
  constexpr double noticeable = 2;  // in standard errors: smaller effects are explained by noise
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const Column& column = jacobian.columns[j];
    if (column.zero) continue;
    const bool plain = column.method.is(Method::finite_difference);
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      double& error = jacobian.standard_error[jacobian.at(m, j)];
      const double added = (plain ? slopes[m].of_plain : slopes[m].of_residual) / natural[j];
      if (added > noticeable * error) error = std::hypot(error, added);
    }
  }
}

bool Jacobian::has_diagnostic(Check check) const {
  return std::ranges::any_of(diagnostics, [&](const auto& diagnostic) { return diagnostic.check == check; });
}

std::vector<double> column_errors(const std::vector<double>& value, const std::vector<double>& truth,
                                  const std::vector<double>& scale) {
  const std::size_t rows = scale.size(), columns = rows ? truth.size() / rows : 0;
  std::vector<double> errors;
  for (std::size_t j = 0; j < columns; ++j) {
    double off = 0, size = 0;
    for (std::size_t m = 0; m < rows; ++m) {
      off += std::pow((value[m * columns + j] - truth[m * columns + j]) / scale[m], 2);
      size += std::pow(truth[m * columns + j] / scale[m], 2);
    }
    errors.push_back(std::sqrt(off / size));
  }
  return errors;
}

namespace {

/// ‖entries‖ of each column, rows in standard deviations of the observables; NaN if a value is missing.
std::vector<double> lengths(const Jacobian& jacobian, const std::vector<double>& entries) {
  std::vector<double> result;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    double squares = 0;
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const double deviation = jacobian.statistics[m].standard_deviation;
      if (!(deviation > 0) || !jacobian.statistics[m].usable()) continue;
      squares += std::isnan(jacobian.value[at]) ? std::nan("") : std::pow(entries[at] / deviation, 2);
    }
    result.push_back(std::sqrt(squares));
  }
  return result;
}

/// Standard errors beyond this many times std(A)/|θ|, or beyond `absurd` times std(A), carry no information.
constexpr double absurd_elasticity = 1e9, absurd = 1e30;

}  // namespace

std::vector<double> absolute_errors(const Jacobian& jacobian) { return lengths(jacobian, jacobian.standard_error); }
std::vector<double> sizes_of_columns(const Jacobian& jacobian) { return lengths(jacobian, jacobian.value); }

std::vector<double> relative_errors(const Jacobian& jacobian) {
  const std::vector<double> errors = absolute_errors(jacobian), sizes = sizes_of_columns(jacobian);
  std::vector<double> result;
  for (std::size_t j = 0; j < errors.size(); ++j)
    result.push_back(errors[j] == 0 && std::isfinite(sizes[j]) ? 0 : errors[j] / sizes[j]);
  return result;
}

void remove_absurd_entries(const symbolic::Model& model, Jacobian& jacobian) {
  for (std::size_t j = 0; j < jacobian.columns.size() && jacobian.rows() > 0; ++j) {
    Column& column = jacobian.columns[j];
    const auto parameter = std::ranges::find(model.parameters, column.parameter, &symbolic::Parameter::name);
    const double theta = parameter == model.parameters.end() ? 0 : std::abs(parameter->value);
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t at = jacobian.at(m, j);
      const double value = jacobian.value[at], error = jacobian.standard_error[at];
      if (std::isnan(value)) continue;
      const statistics::Average& average = jacobian.statistics[m];
      const double limit = average.standard_deviation * std::min(absurd_elasticity / theta, absurd);
      const bool finite = std::isfinite(value) && std::isfinite(error);
      const bool varies = average.standard_deviation > statistics::rounding_share * std::abs(average.mean);
      if (finite && !(varies && std::max(error, std::abs(value)) > limit)) continue;
      column.remark += fmt::format("{}no entry for {}: the estimate {:.2g} ± {:.2g} is not credible",
                                   column.remark.empty() ? "" : "; ", average.name, value, error);
      jacobian.withhold(at);
    }
  }
}

void put_columns(const Jacobian& from, const std::vector<std::size_t>& columns, Jacobian& jacobian) {
  jacobian.simulated_time += from.simulated_time;
  if (from.rows() != jacobian.rows()) return;  // the run was cancelled
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool whole = true, any = false;
    for (std::size_t m = 0; m < from.rows(); ++m) {
      const bool given = std::isfinite(from.value[from.at(m, i)]);
      whole &= given || !from.statistics[m].usable();
      any |= given;
    }
    if (!whole || !any) continue;
    jacobian.columns[columns[i]] = from.columns[i];
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const std::size_t to = jacobian.at(m, columns[i]), at = from.at(m, i);
      jacobian.value[to] = from.value[at];
      jacobian.standard_error[to] = from.standard_error[at];
      jacobian.sampling_error[to] = from.sampling_error[at];
      if (!from.score_error.empty() && !jacobian.score_error.empty()) jacobian.score_error[to] = from.score_error[at];
    }
  }
}

}  // namespace gfdt::jacobian

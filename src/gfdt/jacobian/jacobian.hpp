#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/jacobian/options.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// How one column was estimated.
struct ColumnMethod {
  Method method = Method::automatic;
  bool after_control_variate = false;       ///< a control variate gave the leading term, `method` the remainder
  std::optional<score::Origin> score = {};  ///< of Method::gfdt; empty if there is no score

  /// Whether the column was estimated by this method alone.
  bool is(Method alone) const { return method == alone && !after_control_variate; }
  std::string text() const;  ///< "gfdt (kgmm)", "control-variate, likelihood-ratio"
  bool operator==(const ColumnMethod&) const = default;
};

/// One column of a Jacobian.
struct Column {
  std::string parameter;
  ColumnMethod method;
  double step = 0;        ///< of finite differences, else 0
  bool zero = false;      ///< whether the parameter appears nowhere, so that all entries are exactly zero
  bool withheld = false;  ///< whether the remark names entries that the run does not support
  std::string remark;  ///< "appears nowhere: exactly zero", why a column is missing; empty when there is nothing to say
};

/// The derivatives of all statistics with respect to all parameters, with standard errors. Missing entries are NaN.
struct Jacobian {
  std::vector<statistics::Average> statistics;  ///< the observables at the parameters as they are
  std::vector<double> statistics_covariance;    ///< of the errors of their means, [row][column]
  std::vector<Column> columns;
  std::vector<double> value;           ///< [observable][parameter]
  std::vector<double> standard_error;  ///< likewise, all that is known of
  /// The part of it that is the spread over independent parts of the run. The rest are estimates and bounds of
  /// systematic errors: remainders left out, steps, states that the run has missed.
  std::vector<double> sampling_error;
  std::vector<double> score_error;  ///< the part of it that comes from the fit of the score
  double degrees_of_freedom = 0;    ///< of the standard errors
  std::optional<Window> window;     ///< of the correlation integral, where there was one
  std::vector<Diagnostic> diagnostics;
  double simulated_time = 0;  ///< of all members and runs together
  double wall_seconds = 0;
  bool declined = false;   ///< statistics alone: with these nobody wanted the derivatives
  bool stationary = true;  ///< whether no average drifts in the run behind it

  std::size_t rows() const { return statistics.size(); }
  std::size_t at(std::size_t observable, std::size_t parameter) const {
    return observable * columns.size() + parameter;
  }
  /// Makes an entry missing.
  void withhold(std::size_t at);
  /// Whether numbers can be used.
  bool usable() const;
  bool has_diagnostic(Check check) const;
  /// Whether all numbers can be used.
  bool complete() const;
};

/// Makes entries missing whose statistic the run does not support, since the members have not mixed in it or it never
/// varied. The remarks of the columns say why.
void withhold_unsupported_rows(Jacobian& jacobian);

/// Asked with the statistics of a run, and the covariance of their errors, before derivatives are made that cost more
/// than it: whether anybody wants them.
using Wanted = std::function<bool(const std::vector<statistics::Average>& statistics,
                                  const std::vector<double>& statistics_covariance)>;

/// Widens the standard errors of rows that are rare conditions, seen in K independent events: two missed events add 2/K
/// to the square of an error that comes from the spread of K, and such a spread has 2K degrees of freedom.
void widen_rare_rows(Jacobian& jacobian);

/// Widens the standard errors of columns that come from correlations or likelihood ratios, whose entries are
/// derivatives at the time step of the run. `bias`: of each statistic by the time step. With b the largest bias over
/// standard deviation of all statistics, the stationary density has changed by b at least. Entries are taken to have
/// changed by b times their own size or the root mean square of their column (rows in standard deviations), whichever
/// is larger.
void widen_by_time_step(Jacobian& jacobian, std::span<const double> bias);

/// What rare states add to derivatives of an average, of the natural change of a parameter.
struct RareSlopes {
  double of_residual = 0;  ///< where the column has the control variate of the average
  double of_plain = 0;
};
/// Widens the standard errors of all entries by what states that the run has hardly visited may add to them.
/// `natural`: the natural change of each parameter.
void widen_by_rare_states(Jacobian& jacobian, std::span<const RareSlopes> slopes, std::span<const double> natural);

/// ‖S − S*‖/‖S*‖ of every column, rows scaled by the standard deviations of the observables.
std::vector<double> column_errors(const std::vector<double>& value, const std::vector<double>& truth,
                                  const std::vector<double>& scale);

/// Relative errors of columns: ‖standard errors‖/‖values‖, rows in standard deviations of the observables, over the
/// rows that the run supports. NaN where an entry is missing, 0 where a column is exactly zero.
std::vector<double> relative_errors(const Jacobian& jacobian);

/// Absolute errors and sizes of columns in the same units: ‖standard errors‖ and ‖values‖. NaN where an entry is
/// missing.
std::vector<double> absolute_errors(const Jacobian& jacobian);
std::vector<double> sizes_of_columns(const Jacobian& jacobian);

/// Replaces entries that are not credible by NaN, with a remark in their column: those that are not finite, or whose
/// standard error is many orders of magnitude beyond the standard deviation of the observable over the size of the
/// parameter.
void remove_absurd_entries(const symbolic::Model& model, Jacobian& jacobian);

/// Copies columns of one Jacobian over those of another with the same rows: `columns` are where they go. A column is
/// left out where an entry is missing whose statistic the run supports.
void put_columns(const Jacobian& from, const std::vector<std::size_t>& columns, Jacobian& jacobian);

}  // namespace gfdt::jacobian

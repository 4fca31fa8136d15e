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
  bool after_control_variate = false;       ///< a control variate gave the leading term and `method` the remainder
  std::optional<score::Origin> score = {};  ///< for Method::gfdt; empty if there is no score

  /// Whether the column was estimated by this method alone.
  bool is(Method alone) const { return method == alone && !after_control_variate; }
  std::string text() const;  ///< "gfdt (kgmm)", "control-variate, likelihood-ratio"
  bool operator==(const ColumnMethod&) const = default;
};

/// One column of a Jacobian.
struct Column {
  std::string parameter;
  ColumnMethod method;
  double step = 0;        ///< step of finite differences, else 0
  bool zero = false;      ///< whether the model does not depend on the parameter, so that all entries are exactly zero
  bool withheld = false;  ///< whether the remark names entries that the run does not support
  std::string remark;     ///< for example "appears nowhere: exactly zero", or why a column is missing; may be empty
};

/// The derivatives of all statistics with respect to all parameters, with standard errors. Missing entries are NaN.
struct Jacobian {
  std::vector<statistics::Average> statistics;  ///< the observables at the current parameters
  std::vector<double> statistics_covariance;    ///< of the errors of their means, [row][column]
  std::vector<Column> columns;
  std::vector<double> value;           ///< [observable][parameter]
  std::vector<double> standard_error;  ///< likewise; all known errors
  /// The part of standard_error that is the spread over independent parts of the run. The other parts are estimates and
  /// bounds of systematic errors: neglected remainders, finite steps, and states that the run has not visited.
  std::vector<double> sampling_error;
  std::vector<double> score_error;  ///< the part of standard_error that comes from the fit of the score
  double degrees_of_freedom = 0;    ///< of the standard errors
  std::optional<Window> window;     ///< of the correlation integral, if one was computed
  std::vector<Diagnostic> diagnostics;
  double simulated_time = 0;  ///< total over all members and runs
  double wall_seconds = 0;
  bool declined = false;   ///< the statistics alone: the caller declined the derivatives
  bool stationary = true;  ///< whether no average of the run drifts

  std::size_t rows() const { return statistics.size(); }
  std::size_t at(std::size_t observable, std::size_t parameter) const {
    return observable * columns.size() + parameter;
  }
  /// Sets an entry to NaN.
  void withhold(std::size_t at);
  /// Whether some entries can be used.
  bool usable() const;
  bool has_diagnostic(Check check) const;
  /// Whether all entries can be used.
  bool complete() const;
};

/// Removes entries whose statistic the run does not support because the members have not mixed or the observable never
/// varied. The remarks of the columns give the reason.
void withhold_unsupported_rows(Jacobian& jacobian);

/// Callback that decides whether the derivatives are needed. It is called with the statistics of a run and the
/// covariance of their errors, before derivatives are computed that cost more than the run.
using Wanted = std::function<bool(const std::vector<statistics::Average>& statistics,
                                  const std::vector<double>& statistics_covariance)>;

/// Widens the standard errors of rows that are rare events, seen K times independently: allowing for two missed events
/// increases a squared error by a share of 2/K, and the spread of K events has 2K degrees of freedom.
void widen_rare_rows(Jacobian& jacobian);

/// Widens the standard errors of columns that come from correlations or likelihood ratios, whose entries are
/// derivatives at the time step of the run. `bias`: time-step bias of each statistic. Let b be the largest ratio of
/// bias to standard deviation over all statistics; the stationary density has then changed by at least b. Each entry is
/// assumed to have changed by b times its own magnitude or the root mean square of its column (rows in standard
/// deviations), whichever is larger.
void widen_by_time_step(Jacobian& jacobian, std::span<const double> bias);

/// Contribution of rare states to the derivative of an average, for the natural change of a parameter.
struct RareSlopes {
  double of_residual = 0;  ///< if the column uses the control variate of the average
  double of_plain = 0;
};
/// Widens the standard errors of all entries by the possible contribution of states that the run has hardly visited.
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

/// Replaces implausible entries by NaN, with a remark in their column: entries that are not finite, or whose standard
/// error exceeds the standard deviation of the observable divided by the magnitude of the parameter by many orders of
/// magnitude.
void remove_absurd_entries(const symbolic::Model& model, Jacobian& jacobian);

/// Copies columns of one Jacobian into another with the same rows; `columns` are their positions in the target. A
/// column is not copied if it lacks an entry whose statistic the run supports.
void put_columns(const Jacobian& from, const std::vector<std::size_t>& columns, Jacobian& jacobian);

}  // namespace gfdt::jacobian

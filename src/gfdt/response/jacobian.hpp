#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/response/options.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/finding.hpp"

namespace gfdt::response {

/// How one column came about.
struct Column {
  std::string parameter;
  std::string method;  ///< "gfdt (kgmm)", "finite-difference", "likelihood-ratio"
  double step = 0;     ///< of finite differences, else 0
  std::string remark;  ///< "appears nowhere: exactly zero", why a column is missing; empty when there is nothing to say
};

/// The derivatives of all statistics by all parameters, with error bars. Entries that could not be had are NaN.
struct Jacobian {
  std::vector<statistics::Average> statistics;  ///< the observables at the parameters as they are
  std::vector<double> statistics_covariance;    ///< of the errors of their means, [row][column]
  std::vector<Column> columns;
  std::vector<double> value;           ///< [observable][parameter]
  std::vector<double> standard_error;  ///< likewise, all that is known of
  std::vector<double> score_error;     ///< the part of it that comes from the fit of the score
  std::vector<double>
      bias;  ///< the part of it that stands for remainders left out and for steps; empty where there are none
  double degrees_of_freedom = 0;  ///< of the standard errors
  std::optional<Window> window;   ///< of the correlation integral, where there was one
  std::vector<statistics::Finding> findings;
  double simulated_time = 0;  ///< of all members and runs together
  double wall_seconds = 0;
  bool declined = false;  ///< statistics alone: with these nobody wanted the derivatives

  std::size_t rows() const { return statistics.size(); }
  std::size_t at(std::size_t observable, std::size_t parameter) const {
    return observable * columns.size() + parameter;
  }
  /// Whether the numbers can be used.
  bool usable() const;
};

/// Asked with the statistics of a run, and the covariance of their errors, before derivatives are made that cost more
/// than it: whether anybody wants them.
using Wanted = std::function<bool(const std::vector<statistics::Average>& statistics,
                                  const std::vector<double>& statistics_covariance)>;

/// ‖S − S*‖/‖S*‖ of every column, rows scaled by the standard deviations of the observables.
std::vector<double> column_errors(const std::vector<double>& value, const std::vector<double>& truth,
                                  const std::vector<double>& scale);

/// Relative errors of columns: ‖standard errors‖/‖values‖, rows in standard deviations of the observables. NaN where an
/// entry is missing, 0 where a column is exactly zero.
std::vector<double> relative_errors(const Jacobian& jacobian);

/// Copies columns of one Jacobian over those of another with the same rows: `columns` are where they go.
void put_columns(const Jacobian& from, const std::vector<std::size_t>& columns, Jacobian& jacobian);

}  // namespace gfdt::response

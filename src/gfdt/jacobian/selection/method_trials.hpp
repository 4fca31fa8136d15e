#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// A method for columns whose leading terms are not accurate enough.
struct Candidate {
  Method method;
  /// Absolute error of each of these columns, predicted for the full length; NaN if not tried.
  std::vector<double> error;
  double cost = 0;      ///< simulated time per column at full length
  bool trusted = true;  ///< whether its standard errors include all errors
};

struct Trials {
  std::vector<Candidate> candidates;
  std::vector<double> size;           ///< of each column, from the estimate with the smallest error
  std::vector<std::string> failures;  ///< why methods could not be tried
  double simulated_time = 0;

  /// The predicted error of a candidate, relative to the size of a column.
  double relative_error(const Candidate& candidate, std::size_t column) const {
    return candidate.error[column] / size[column];
  }
};

/// Computes some columns by a method, which estimates only the remainder if leading terms help.
GfdtJacobian columns_by(Method method, const GfdtProblem& problem, const ControlledJacobian& leading,
                        const simulate::Source& source, const std::vector<std::size_t>& columns,
                        const simulate::Control& control);

/// Pilot runs that predict the errors of each method for `columns`, the cheapest method first. Each further method is
/// tried only for columns that the previous ones do not estimate accurately enough.
Trials run_trials(const GfdtProblem& problem, const ControlledJacobian& leading,
                  const std::vector<std::size_t>& columns, const simulate::Control& control);

/// The sentence that explains why a Jacobian cannot be used; empty if it can.
std::string reason_of_failure(const Jacobian& jacobian);

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// A way to columns that leading terms do not give well enough.
struct Candidate {
  Method method;
  /// Absolute error of each of these columns, predicted for the full length; NaN where it was not tried.
  std::vector<double> error;
  double cost = 0;      ///< simulated time per column at full length
  bool trusted = true;  ///< whether its standard errors hold all errors
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

/// Some columns by a method. It is left with the remainder where leading terms help.
GfdtJacobian columns_by(Method method, const GfdtProblem& problem, const ControlledJacobian& leading,
                        const simulate::Source& source, const std::vector<std::size_t>& columns,
                        const simulate::Control& control);

/// Short runs that tell what each method would give for `columns`. The cheapest come first; the next is tried for
/// columns that those before do not give well enough.
Trials run_trials(const GfdtProblem& problem, const ControlledJacobian& leading,
                  const std::vector<std::size_t>& columns, const simulate::Control& control);

/// The sentence that tells why a Jacobian cannot be used; empty where it can.
std::string reason_of_failure(const Jacobian& jacobian);

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"

namespace gfdt::calibrate {

/// Whether noise explains what is left of the mismatch: a χ² test whose degrees of freedom account for what was fitted,
/// or Hotelling's T² where the covariance was estimated (freedom.hpp).
struct GoodnessOfFit {
  double chi_square = 0;  ///< of targets and priors
  int targets = 0;        ///< and priors
  int fitted = 0;         ///< combinations of parameters that these determine
  double p_value = 1;     ///< 1 where nothing is left to test
  double level = 0;       ///< a fit with a smaller p-value is rejected

  int degrees_of_freedom() const { return targets > fitted ? targets - fitted : 0; }
  bool accepted() const { return p_value >= level; }
};

/// `fitted`: the number of determined directions.
GoodnessOfFit goodness_of_fit(const std::vector<FreeParameter>& parameters, const std::vector<double>& at,
                              const Mismatch& mismatch, int fitted);

/// "χ² = 3.1 with 2 degrees of freedom (5 targets, 3 fitted parameters), p = 0.21"
std::string in_words(const GoodnessOfFit& fit);

}  // namespace gfdt::calibrate

#pragma once

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"

namespace gfdt::calibrate {

/// Tests whether noise explains the residual mismatch: a χ² test whose degrees of freedom account for the fitted
/// parameters, or Hotelling's T² if the covariance was estimated (freedom.hpp).
struct GoodnessOfFit {
  double chi_square = 0;  ///< of targets and priors
  int targets = 0;        ///< number of targets and priors
  int fitted = 0;         ///< number of combinations of parameters that they determine
  double p_value = 1;     ///< 1 if there is nothing to test
  double level = 0;       ///< the fit is rejected if the p-value is smaller

  int degrees_of_freedom() const { return targets > fitted ? targets - fitted : 0; }
  bool accepted() const { return p_value >= level; }
};

/// `at`: values of the parameters, natural scale; `fitted`: the number of fitted directions.
GoodnessOfFit goodness_of_fit(const std::vector<FreeParameter>& parameters, const std::vector<double>& at,
                              const Mismatch& mismatch, int fitted);

/// "χ² = 3.1 with 2 degrees of freedom (5 targets, 3 fitted parameters), p = 0.21"
std::string in_words(const GoodnessOfFit& fit);

}  // namespace gfdt::calibrate

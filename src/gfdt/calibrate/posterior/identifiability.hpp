#pragma once

#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

/// How well the targets constrain combinations of the parameters.
struct Identifiability {
  std::vector<double> singular_values;  ///< of N^−½ S in units of parameter_scale, largest first, one per parameter
  std::vector<WeakDirection> weak;      ///< directions that are constrained weakly or not at all
};

/// `at`: values of the parameters, natural scale.
Identifiability identifiability(const Problem& problem, const std::vector<double>& at, const LinearModel& model);

}  // namespace gfdt::calibrate

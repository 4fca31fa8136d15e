#pragma once

#include <vector>

#include "gfdt/simulate/source.hpp"

namespace gfdt::calibrate {

/// Cov[A], the equal-time covariance of the observables, [row][column]. Takes one more pass over the samples.
std::vector<double> observable_covariance(const symbolic::Model& model, const simulate::Source& source,
                                          const simulate::Control& control);

}  // namespace gfdt::calibrate

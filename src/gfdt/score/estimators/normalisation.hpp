#pragma once

#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// x = mean + std·x̂ for each component. Scores are fitted in x̂: s(x) = ŝ(x̂)/std and ∂s_i/∂x_j = ∂ŝ_i/∂x̂_j /(std_i
/// std_j). All sites of a ring have the mean and std of their field.
struct Normalisation {
  std::vector<double> mean;
  std::vector<double> std;

  int dimension() const { return static_cast<int>(mean.size()); }
};

/// Throws Error if there are no samples or if a component does not vary.
Normalisation normalisation_of(const Samples& samples);

/// x̂ of all samples, [sample][component].
std::vector<float> normalised(const Samples& samples, const Normalisation& normalisation);

}  // namespace gfdt::score

#pragma once

#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// x = mean + std·x̂ a component. Scores are fitted in x̂, where s(x) = ŝ(x̂)/std and ∂s_i/∂x_j = ∂ŝ_i/∂x̂_j /(std_i
/// std_j). The sites of a ring share the numbers of their field.
struct Normalisation {
  std::vector<double> mean;
  std::vector<double> std;

  int dimension() const { return static_cast<int>(mean.size()); }
};

Normalisation normalisation_of(const Samples& samples);

/// x̂ of all samples, [sample][component].
std::vector<float> normalised(const Samples& samples, const Normalisation& normalisation);

}  // namespace gfdt::score

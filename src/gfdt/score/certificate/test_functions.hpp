#pragma once

#include <string>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// A factor of a test function, a function of one normalised coordinate. The trigonometric ones and tanh have the
/// argument 2x̂: they tell two humps from one.
enum class Factor { one, linear, square, cube, tanh, sine, cosine };
inline constexpr int factors = 7;

/// φ(x̂) = own(x̂_i) · other(x̂_j), tested against the score of i. On a ring i is site k of the field `field` and j site
/// k + offset of `other_field`, for all k at once. φ = 1 tests the mean, φ = x̂_j the covariance.
struct TestFunction {
  int field = 0;
  Factor own = Factor::one;
  int other_field = 0;
  int offset = 0;
  Factor other = Factor::one;

  /// `u1^2*tau` in the names of the samples, `X[k]*X[k+1]^2` on a ring.
  std::string label(const Samples& samples) const;
};

/// Name of a component, or of a field at site k + offset of a ring.
std::string label(const Samples& samples, int field, int offset);

/// φ = 1 for every field.
std::vector<TestFunction> mean_functions(const Arrangement& arrangement);

/// φ = x̂_j for every pair of components; on a ring those at most `farthest_covariance` sites apart.
std::vector<TestFunction> covariance_functions(const Arrangement& arrangement);
inline constexpr int farthest_covariance = 32;

/// Functions of one coordinate (x̂², x̂³, tanh, sin, cos: skewness, kurtosis, humps), and of pairs (x̂_j², tanh 2x̂_j, x̂_i
/// x̂_j, x̂_i x̂_j²: dependence). Pairs are all there are among few components, neighbours among many and on a ring.
std::vector<TestFunction> stein_functions(const Arrangement& arrangement);

/// Values and derivatives of all factors at `count` normalised coordinates: rows [factor][count].
void evaluate_factors(const double* x, int count, double* values, double* derivatives);

}  // namespace gfdt::score

#pragma once

#include <string>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// A factor of a test function: a function of one normalised coordinate. The trigonometric functions and tanh have the
/// argument 2x̂, so that they distinguish bimodal from unimodal densities.
enum class Factor { one, linear, square, cube, tanh, sine, cosine };
inline constexpr int factors = 7;

/// φ(x̂) = own(x̂_i) · other(x̂_j), tested against score component i. On a ring, i is site k of the field `field` and j
/// is site k + offset of `other_field`, for all k together. φ = 1 tests the mean, φ = x̂_j the covariance.
struct TestFunction {
  int field = 0;
  Factor own = Factor::one;
  int other_field = 0;
  int offset = 0;
  Factor other = Factor::one;

  /// For example `u1^2*tau` with the names of the samples, or `X[k]*X[k+1]^2` on a ring.
  std::string label(const Samples& samples) const;
};

/// Name of a component, or of a field at site k + offset of a ring.
std::string label(const Samples& samples, int field, int offset);

/// φ = 1 for every field.
std::vector<TestFunction> mean_functions(const Arrangement& arrangement);

/// φ = x̂_j for every pair of components; on a ring those at most `farthest_covariance` sites apart.
std::vector<TestFunction> covariance_functions(const Arrangement& arrangement);
inline constexpr int farthest_covariance = 32;

/// Functions of one coordinate (x̂², x̂³, tanh, sin, cos: skewness, kurtosis, multimodality) and of pairs (x̂_j², tanh
/// 2x̂_j, x̂_i x̂_j, x̂_i x̂_j²: dependence). All pairs are used for few components, and pairs of neighbours for many
/// components and on a ring.
std::vector<TestFunction> stein_functions(const Arrangement& arrangement);

/// Values and derivatives of all factors at `count` normalised coordinates: rows [factor][count].
void evaluate_factors(const double* x, int count, double* values, double* derivatives);

}  // namespace gfdt::score

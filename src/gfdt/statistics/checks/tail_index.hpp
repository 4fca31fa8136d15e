#pragma once

#include <vector>

namespace gfdt::statistics {

/// The extreme value index ξ of the distribution of a quantity Y: for ξ > 0, P(|Y| > y) decays as y^(−1/ξ), so that the
/// mean exists for ξ < 1 and the variance for ξ < ½.
struct TailIndex {
  double value = 0;
  double standard_error = 0;

  /// All comparisons allow for two standard errors.
  bool has_no_mean() const { return value - 2 * standard_error > 1; }
  bool may_have_no_mean() const { return value + 2 * standard_error > 1; }
  bool has_no_variance() const { return value - 2 * standard_error > 0.5; }
  /// 1/ξ, the exponent of the power-law decay of the tail.
  double exponent() const { return 1 / value; }
};

/// Estimates ξ by the moment estimator (A. L. M. Dekkers, J. H. J. Einmahl and L. de Haan, Annals of Statistics 17,
/// 1989) from the half percent of the samples that is farthest from the median. Bounded quantities have ξ ≤ 0. Returns
/// zero with zero standard error if there are too few samples or too few different values.
TailIndex tail_index(std::vector<double> samples);

}  // namespace gfdt::statistics

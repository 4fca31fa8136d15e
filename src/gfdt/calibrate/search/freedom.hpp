#pragma once

#include <Eigen/Core>

#include "gfdt/calibrate/evaluation/evaluation.hpp"

namespace gfdt::calibrate {

/// Degrees of freedom of a sum of two covariances, by Satterthwaite's formula. `part` holds the variances of one of
/// them, `whole` those of the sum; `of_part` and `of_rest` are the degrees of freedom of the two.
double combined_freedom(const Eigen::VectorXd& part, double of_part, const Eigen::VectorXd& whole, double of_rest);

/// Degrees of freedom of the covariance of the means; infinite if none are stated.
double simulation_freedom(const Evaluation& evaluation);

/// The probability that noise makes a square xᵀ C⁻¹ x at least this large, for an estimated C: the tail of Hotelling's
/// T². With fewer than two degrees of freedom per dimension T² has almost no power; the largest component of x in
/// standard deviations, `deviations`, is tested instead, with Bonferroni's correction.
double noise_tail(double square, int dimension, double freedom, const Eigen::VectorXd& deviations);

}  // namespace gfdt::calibrate

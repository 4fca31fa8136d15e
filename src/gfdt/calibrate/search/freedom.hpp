#pragma once

#include <Eigen/Core>

#include "gfdt/calibrate/evaluation/evaluation.hpp"

namespace gfdt::calibrate {

/// Degrees of freedom of a covariance that is the sum of two, by Satterthwaite: `part` are the variances of the one,
/// `whole` those of the sum.
double combined_freedom(const Eigen::VectorXd& part, double of_part, const Eigen::VectorXd& whole, double of_rest);

/// Degrees of freedom of the covariance of the means; infinite where none are stated.
double simulation_freedom(const Evaluation& evaluation);

/// How rarely noise makes a square xᵀ C⁻¹ x this large, for a C that was estimated: the tail of Hotelling's T². With
/// fewer than two degrees of freedom a dimension T² can tell next to nothing; the largest of the components of x in
/// standard deviations is judged instead, as one of so many (Bonferroni).
double noise_tail(double square, int dimension, double freedom, const Eigen::VectorXd& deviations);

}  // namespace gfdt::calibrate

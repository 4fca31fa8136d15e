#pragma once

namespace gfdt::statistics {

/// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x);

/// P(|t| > |value|) for Student's t distribution.
double student_t_tail(double value, double degrees_of_freedom);

/// The t with P(|T| ≤ t) = `coverage`. The intervals below throw Error unless 0 < coverage < 1.
double student_t_interval(double coverage, double degrees_of_freedom);

/// P(F > value) for the F distribution, the ratio of two variances with these degrees of freedom.
double f_tail(double value, double numerator_freedom, double denominator_freedom);

/// P(χ² > value).
double chi_square_tail(double value, double degrees_of_freedom);

/// The value with P(χ² ≤ value) = `coverage`.
double chi_square_interval(double coverage, double degrees_of_freedom);

/// P(T² > value) for Hotelling's T² = xᵀ C⁻¹ x of a normal x of this dimension, whose covariance C was estimated with
/// the given degrees of freedom; χ² if they are infinite, 1 if they are fewer than `dimension`.
double hotelling_tail(double value, int dimension, double degrees_of_freedom);

/// The value with P(T² ≤ value) = `coverage`; infinite if there are too few degrees of freedom.
double hotelling_interval(double coverage, int dimension, double degrees_of_freedom);

}  // namespace gfdt::statistics

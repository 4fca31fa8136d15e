#pragma once

namespace gfdt::statistics {

/// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x);

/// P(|t| > |value|) for Student's t.
double student_t_tail(double value, double degrees_of_freedom);

/// The t with P(|T| ≤ t) = `coverage`.
double student_t_interval(double coverage, double degrees_of_freedom);

/// P(χ² > value).
double chi_square_tail(double value, double degrees_of_freedom);

}  // namespace gfdt::statistics

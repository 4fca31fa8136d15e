#include "gfdt/calibrate/search/step.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/calibrate/search/conjugate_gradients.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Eigenvalues of the scaled normal matrix below this share of the largest one are directions in which nothing changes.
constexpr double negligible = 1e-12;

/// −(Λ + μ)⁻¹ g, with zero components along directions without curvature.
VectorXd damped(const VectorXd& eigenvalues, const VectorXd& gradient, double damping) {
  const double smallest = negligible * std::max(eigenvalues.maxCoeff(), 0.0);
  VectorXd result(gradient.size());
  for (Index i = 0; i < gradient.size(); ++i)
    result(i) = eigenvalues(i) > smallest ? -gradient(i) / (eigenvalues(i) + damping) : 0.0;
  return result;
}

/// The μ with ‖δ(μ)‖ = radius, by bisection in log μ: the norm decreases monotonically.
double damping_for(const VectorXd& eigenvalues, const VectorXd& gradient, double radius) {
  double low = 1e-16 * std::max(eigenvalues.maxCoeff(), 1e-300), high = gradient.norm() / radius;
  constexpr int halvings = 80;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    (damped(eigenvalues, gradient, middle).norm() > radius ? low : high) = middle;
  }
  return high;
}

}  // namespace

Step within_region(const MatrixXd& curvature, const VectorXd& gradient, double radius) {
  const SymmetricEigen eigen = symmetric_eigen(curvature);
  const VectorXd along = eigen.vectors.transpose() * gradient;
  Step step;
  VectorXd change = damped(eigen.values, along, 0);
  if (change.norm() > radius) {
    step.restricted = true;
    step.damping = damping_for(eigen.values, along, radius);
    change = damped(eigen.values, along, step.damping);
  }
  step.length = change.norm();
  step.change = eigen.vectors * change;
  return step;
}

VectorXd trust_scale(const LinearModel& model) {
  const VectorXd inverse = model.variance.unaryExpr([](double v) { return v > 0 ? 1 / v : 0.0; });
  constexpr double of_priors = 1e-3;  // a thousand standard deviations of its prior are one unit of a parameter
  return (model.column_norms(inverse.asDiagonal()).cwiseAbs2() + of_priors * of_priors * model.prior_precision)
      .cwiseSqrt();
}

Step solve_step(const LinearModel& model, double tikhonov, double radius) {
  const VectorXd norms = trust_scale(model);
  // A parameter that affects nothing and has no prior does not move, so any scale will do.
  const VectorXd scale = norms.unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 1.0; });
  const VectorXd regularisation = tikhonov * model.column_norms(model.weights).cwiseAbs2();
  if (model.parameters() > most_factorised) return conjugate_gradients(model, regularisation, scale, radius);
  MatrixXd normal = model.information();
  normal.diagonal() += regularisation;
  Step step =
      within_region(scale.asDiagonal() * normal * scale.asDiagonal(), scale.cwiseProduct(model.gradient()), radius);
  step.change = scale.cwiseProduct(step.change);
  return step;
}

double scaled_condition(const LinearModel& model) {
  const VectorXd norms = model.column_norms(model.weights);
  const VectorXd scale = norms.unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 0.0; });
  const MatrixXd normal =
      scale.asDiagonal() * (model.jacobian.transpose() * model.weights * model.jacobian) * scale.asDiagonal();
  const VectorXd values = symmetric_eigenvalues(normal);
  const double least = values.minCoeff(), most = values.maxCoeff();
  return least > 0 ? std::sqrt(most / least) : std::numeric_limits<double>::infinity();
}

}  // namespace gfdt::calibrate

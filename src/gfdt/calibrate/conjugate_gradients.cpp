#include "gfdt/calibrate/conjugate_gradients.hpp"

#include <cmath>

namespace gfdt::calibrate {
namespace {

using Eigen::VectorXd;

constexpr double relative_residual = 1e-12;

/// The t ≥ 0 with ‖x + t d‖ = radius.
double to_the_boundary(const VectorXd& x, const VectorXd& d, double radius) {
  const double a = d.squaredNorm(), b = x.dot(d), c = x.squaredNorm() - radius * radius;
  return (-b + std::sqrt(b * b - a * c)) / a;
}

}  // namespace

Step conjugate_gradients(const LinearModel& model, const VectorXd& regularisation, const VectorXd& scale,
                         double radius) {
  const VectorXd diagonal = model.prior_precision + regularisation;
  const auto normal = [&](const VectorXd& x) -> VectorXd {
    const VectorXd change = scale.cwiseProduct(x);
    return scale.cwiseProduct(model.jacobian.transpose() * (model.weights * (model.jacobian * change)) +
                              diagonal.cwiseProduct(change));
  };
  VectorXd residual = -scale.cwiseProduct(model.gradient()), direction = residual;
  VectorXd x = VectorXd::Zero(residual.size());
  double square = residual.squaredNorm();
  const double enough = relative_residual * relative_residual * square;
  Step step;
  const auto most = 2 * model.parameters();
  for (Eigen::Index i = 0; i < most && square > enough; ++i) {
    const VectorXd product = normal(direction);
    const double curvature = direction.dot(product);
    if (!(curvature > 0)) break;
    const double length = square / curvature;
    if ((x + length * direction).norm() > radius) {
      x += to_the_boundary(x, direction, radius) * direction;
      step.restricted = true;
      break;
    }
    x += length * direction;
    residual -= length * product;
    const double next = residual.squaredNorm();
    direction = residual + next / square * direction;
    square = next;
  }
  step.length = x.norm();
  step.change = scale.cwiseProduct(x);
  return step;
}

}  // namespace gfdt::calibrate

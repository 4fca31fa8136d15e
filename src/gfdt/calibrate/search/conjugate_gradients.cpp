#include "gfdt/calibrate/search/conjugate_gradients.hpp"

#include <cmath>
#include <optional>

namespace gfdt::calibrate {
namespace {

using Eigen::VectorXd;

constexpr double relative_residual = 1e-12;
constexpr double radius_precision = 1e-9;
constexpr int most_trials = 60;

/// (SᵀBS + Π + Γ) δ = −∇Φ in the variables δ/D.
struct NormalEquations {
  const LinearModel& model;
  const VectorXd& scale;
  VectorXd diagonal, right;

  VectorXd product(const VectorXd& x, double damping) const {
    const VectorXd change = scale.cwiseProduct(x);
    return scale.cwiseProduct(model.jacobian.transpose() * (model.weights * (model.jacobian * change)) +
                              diagonal.cwiseProduct(change)) +
           damping * x;
  }

  VectorXd solution(double damping) const {
    VectorXd residual = right, direction = residual, x = VectorXd::Zero(residual.size());
    double square = residual.squaredNorm();
    const double enough = relative_residual * relative_residual * square;
    const auto most = 2 * model.parameters();
    for (Eigen::Index i = 0; i < most && square > enough; ++i) {
      const VectorXd image = product(direction, damping);
      const double curvature = direction.dot(image);
      if (!(curvature > 0)) break;
      x += square / curvature * direction;
      residual -= square / curvature * image;
      const double next = residual.squaredNorm();
      direction = residual + next / square * direction;
      square = next;
    }
    return x;
  }
};

}  // namespace

Step conjugate_gradients(const LinearModel& model, const VectorXd& regularisation, const VectorXd& scale,
                         double radius) {
  const NormalEquations equations{model, scale, model.prior_precision + regularisation,
                                  -scale.cwiseProduct(model.gradient())};
  Step step;
  VectorXd x = equations.solution(0);
  if (x.norm() > radius) {
    step.restricted = true;
    // 1/‖x(μ)‖ − 1/radius is almost linear in μ: false position with the Illinois modification, which halves the value
    // at the end that stays.
    const auto excess = [&] { return 1 / x.norm() - 1 / radius; };
    double low = 0, high = equations.right.norm() / radius, at_low = excess();
    x = equations.solution(high);
    double at_high = excess();
    step.damping = high;
    std::optional<bool> before;
    for (int i = 0; i < most_trials && std::abs(x.norm() / radius - 1) > radius_precision; ++i) {
      step.damping = (low * at_high - high * at_low) / (at_high - at_low);
      x = equations.solution(step.damping);
      const double here = excess();
      const bool below = here < 0;
      if (below == before) (below ? at_high : at_low) /= 2;
      if (below) {
        low = step.damping, at_low = here;
      } else {
        high = step.damping, at_high = here;
      }
      before = below;
    }
  }
  step.length = x.norm();
  step.change = scale.cwiseProduct(x);
  return step;
}

}  // namespace gfdt::calibrate

#include "gfdt/control_variate/density_change.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gfdt::control_variate {
namespace {

using Eigen::MatrixXd;

/// dx = −a x dt + s dW with φ = x, x², x³ and the parameters a and s. Its stationary density is normal with the
/// variance v = s²/2a and the relative change w = (∂v/∂θ)(x² − v)/2v².
class OrnsteinUhlenbeck {
 public:
  OrnsteinUhlenbeck(double a, double s) : a_(a), s_(s), v_(s * s / (2 * a)) {}

  /// L x = −a x, L x² = −2a(x² − v), L x³ = −3a x³ + 3s² x; the moments of x are 0, v, 0, 3v², 0, 15v³.
  FunctionMoments functions() const {
    const double cross = 3 * a_ * a_ * 3 * v_ * v_ - 3 * a_ * s_ * s_ * v_;
    const double cubic =
        9 * a_ * a_ * 15 * std::pow(v_, 3) - 18 * a_ * s_ * s_ * 3 * v_ * v_ + 9 * std::pow(s_, 4) * v_;
    MatrixXd products(3, 3);
    products << a_ * a_ * v_, 0, cross, 0, 8 * a_ * a_ * v_ * v_, 0, cross, 0, cubic;
    return {1, Eigen::VectorXd::Zero(3), products};
  }
  /// P = −x ∂ for a, and s ∂² for s.
  MatrixXd changes() const {
    MatrixXd result = MatrixXd::Zero(3, 2);
    result.row(1) << -2 * v_, 2 * s_;
    return result;
  }
  /// ‖w‖ = |∂v/∂θ|/√2v.
  double exact(int parameter) const { return (parameter == 0 ? 1 / a_ : 2 / s_) / std::sqrt(2.0); }

 private:
  double a_, s_, v_;
};

TEST(DensityChange, FindsTheChangeOfADensityThatFunctionsSpan) {
  const OrnsteinUhlenbeck model(0.7, 1.3);
  const MatrixXd means[2] = {model.changes(), model.changes()};
  const std::size_t sizes[] = {1, 2, 3};
  const std::vector<DensityChange> found = density_changes(model.functions(), sizes, means);
  for (int j = 0; j < 2; ++j) EXPECT_NEAR(found[static_cast<std::size_t>(j)].norm, model.exact(j), 1e-7);
}

TEST(DensityChange, ReportsTheContributionOfTheLastTwoSetsOfFunctions) {
  const OrnsteinUhlenbeck model(0.7, 1.3);
  const MatrixXd means[2] = {model.changes(), model.changes()};
  const FunctionMoments functions = model.functions();
  const auto changed_with = [&](std::vector<std::size_t> sizes) {
    return density_changes(functions, sizes, means)[0].changed;
  };
  EXPECT_NEAR(changed_with({1, 2}), model.exact(0), 1e-7) << "the square added all of it";
  EXPECT_NEAR(changed_with({1, 2, 3}), model.exact(0), 1e-7) << "the set before the last one did";
  EXPECT_NEAR(changed_with({1, 2, 3, 3}), 0, 1e-7) << "neither of the last two sets did";
  EXPECT_EQ(changed_with({1}), 0) << "no linear function changes with the damping of a linear model";
}

TEST(DensityChange, IsNotBiasedByNoiseOfTheMeans) {
  const OrnsteinUhlenbeck model(0.7, 1.3);
  const MatrixXd off = 0.1 * MatrixXd::Ones(3, 2);
  const MatrixXd means[2] = {model.changes() + off, model.changes() - off};
  const std::size_t sizes[] = {2};
  const double exact = std::pow(model.exact(0), 2),
               found = std::pow(density_changes(model.functions(), sizes, means)[0].norm, 2);
  EXPECT_LT(found, exact) << "errors of opposite sign cancel in the product, and are squared with one set of means";
}

}  // namespace
}  // namespace gfdt::control_variate

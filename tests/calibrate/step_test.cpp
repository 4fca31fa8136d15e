#include "gfdt/calibrate/search/step.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gfdt/calibrate/search/conjugate_gradients.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearModel some_model(std::uint64_t seed, Index targets, Index parameters) {
  Normals normals(seed);
  const MatrixXd jacobian = normals.matrix(targets, parameters);
  LinearModel model = linear_model_of(jacobian, normals.vector(targets), some_covariance(normals, targets, 0.01),
                                      some_covariance(normals, targets, 0.005));
  model.variance = normals.vector(targets).cwiseAbs2().array() + 0.5;
  return model;
}

double objective_after(const LinearModel& model, const VectorXd& step) { return -model.predicted_decrease(step); }

double length_of(const LinearModel& model, const VectorXd& step) {
  return step.cwiseProduct(trust_scale(model)).norm();
}

Step by_conjugate_gradients(const LinearModel& model, double tikhonov, double radius) {
  const VectorXd regularisation = tikhonov * model.column_norms(model.weights).cwiseAbs2();
  const VectorXd scale = trust_scale(model).unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 1.0; });
  return conjugate_gradients(model, regularisation, scale, radius);
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

TEST(Step, IsTheGaussNewtonStep) {
  const LinearModel model = some_model(1, 5, 3);
  const MatrixXd normal = model.jacobian.transpose() * model.weights * model.jacobian;
  const VectorXd exact = -normal.inverse() * model.jacobian.transpose() * model.weights * model.residual;
  const Step step = solve_step(model, 0);
  EXPECT_LT((step.change - exact).norm(), 1e-11 * exact.norm());
  EXPECT_FALSE(step.restricted);
  EXPECT_EQ(step.damping, 0);
  EXPECT_NEAR(step.length, length_of(model, exact), 1e-10);
}

TEST(Step, WithTikhonovIsTheStepOfThePaper) {
  LinearModel model = some_model(2, 5, 5);
  model.weights = model.variance.cwiseInverse().asDiagonal();
  MatrixXd normal = model.jacobian.transpose() * model.weights * model.jacobian;
  // γ D⁻² with D⁻²_j = ‖S_j‖²_B, which is the diagonal of SᵀBS.
  normal.diagonal() *= 1 + 1e-2;
  const VectorXd exact = -normal.inverse() * model.jacobian.transpose() * model.weights * model.residual;
  EXPECT_LT((solve_step(model, 1e-2).change - exact).norm(), 1e-11 * exact.norm());
}

TEST(Step, WithPriorsIsThePosteriorMean) {
  LinearModel model = some_model(3, 2, 3);
  model.prior_precision << 4, 0.25, 1;
  model.prior_offset << 0.3, -2, 0.5;
  MatrixXd normal = model.jacobian.transpose() * model.weights * model.jacobian;
  normal.diagonal() += model.prior_precision;
  const VectorXd right = model.jacobian.transpose() * model.weights * model.residual +
                         model.prior_precision.cwiseProduct(model.prior_offset);
  EXPECT_LT((solve_step(model, 0).change + normal.inverse() * right).norm(), 1e-9);
}

TEST(Step, WithinATrustRegionMinimisesTheObjective) {
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    const LinearModel model = some_model(seed, 3, 2);
    const double radius = 0.4 * solve_step(model, 0).length;
    const Step step = solve_step(model, 0, radius);
    EXPECT_TRUE(step.restricted);
    EXPECT_NEAR(length_of(model, step.change), radius, 1e-9 * radius);
    EXPECT_NEAR(step.length, radius, 1e-9 * radius);
    const double lowest = objective_after(model, step.change);
    double found = 0;
    const VectorXd scale = trust_scale(model);
    for (int angle = 0; angle < 3600; ++angle)
      for (const double share : {0.5, 0.9, 1.0}) {
        const double phi = angle * M_PI / 1800;
        const VectorXd trial = share * radius * Eigen::Vector2d(std::cos(phi) / scale(0), std::sin(phi) / scale(1));
        found = std::min(found, objective_after(model, trial));
      }
    EXPECT_GE(found, lowest - 1e-9 * std::abs(lowest));
    EXPECT_LT(found, 0.999 * lowest);  // both are negative: the best trial comes close to the minimum
  }
}

TEST(Step, DoesNotMoveParametersWithoutEffect) {
  LinearModel model = some_model(4, 4, 3);
  model.jacobian.col(1).setZero();
  const Step step = solve_step(model, 0);
  EXPECT_EQ(step.change(1), 0);
  LinearModel without = model;
  without.jacobian = MatrixXd(4, 2);
  without.jacobian << model.jacobian.col(0), model.jacobian.col(2);
  without.prior_precision = without.prior_offset = VectorXd::Zero(2);
  const VectorXd exact = solve_step(without, 0).change;
  EXPECT_NEAR(step.change(0), exact(0), 1e-10);
  EXPECT_NEAR(step.change(2), exact(1), 1e-10);
  EXPECT_TRUE(std::isinf(scaled_condition(model)));
}

TEST(Step, MovesParametersWithoutEffectToTheirPriors) {
  for (const double std : {1e-6, 1.0, 1e6}) {
    LinearModel model = some_model(5, 4, 2);
    model.noise = model.simulation_noise = 1e-8 * MatrixXd::Identity(4, 4);
    model.weights = pseudo_inverse(model.noise);
    for (const double sensitivity : {0.0, 1e-12}) {
      model.jacobian.col(1).setConstant(sensitivity / std);
      model.prior_precision << 0, 1 / (std * std);
      model.prior_offset << 0, -3 * std;
      const VectorXd change = solve_step(model, 0, 10).change;
      EXPECT_NEAR(change(1), 3 * std, 1e-3 * std) << std << ' ' << sensitivity;
      LinearModel alone = some_model(5, 4, 2);
      const VectorXd column = alone.jacobian.col(0);
      EXPECT_NEAR(change(0), -column.dot(model.residual) / column.squaredNorm(), 1e-6) << std << ' ' << sensitivity;
    }
  }
}

TEST(Step, OfFewerTargetsThanParametersIsTheShortestSolution) {
  const LinearModel model = some_model(6, 2, 5);
  const Step step = solve_step(model, 0);
  EXPECT_LT((model.residual + model.jacobian * step.change).norm(), 1e-9);
  // Any other solution adds a vector of the null space, which is orthogonal in the norm of the trust region.
  Eigen::FullPivLU<MatrixXd> decomposition(model.jacobian);
  const MatrixXd null_space = decomposition.kernel();
  ASSERT_EQ(null_space.cols(), 3);
  const VectorXd weighted = trust_scale(model).cwiseAbs2().cwiseProduct(step.change);
  EXPECT_LT((null_space.transpose() * weighted).norm(), 1e-9 * weighted.norm());
}

TEST(ConjugateGradients, TakeTheStepOfTheDirectSolution) {
  const auto compare = [](const LinearModel& model, double tikhonov, double radius) {
    const Step direct = solve_step(model, tikhonov, radius), found = by_conjugate_gradients(model, tikhonov, radius);
    EXPECT_LT((found.change - direct.change).norm(), 1e-6 * direct.change.norm());
    EXPECT_EQ(found.restricted, direct.restricted);
    EXPECT_NEAR(found.length, direct.length, 1e-6 * direct.length);
    EXPECT_NEAR(found.damping, direct.damping, 1e-5 * direct.damping);
  };
  for (const Index parameters : {2, 5, 12}) {
    LinearModel model = some_model(20, 8, parameters);
    const double full = solve_step(model, 0).length;
    for (const double share : {unlimited, 1.5, 0.9, 0.3, 1e-3, 1e-8}) {
      compare(model, 0, share * full);
      compare(model, 1e-2, share * full);
    }
    model.jacobian.col(1).setZero();
    model.prior_precision.setConstant(0.7);
    model.prior_offset = VectorXd::LinSpaced(parameters, -1, 2);
    compare(model, 0, unlimited);
    compare(model, 0, 0.3 * full);
  }
}

TEST(ConjugateGradients, WorkForHundredsOfParameters) {
  LinearModel model = some_model(30, 12, 500);
  ASSERT_GT(model.parameters(), most_factorised);
  // The shortest step to the targets: Dx = D (SD)ᵀ (SD (SD)ᵀ)⁻¹ (−r).
  const VectorXd scale = trust_scale(model).cwiseInverse();
  const MatrixXd scaled = model.jacobian * scale.asDiagonal();
  const VectorXd exact =
      -scale.cwiseProduct(scaled.transpose() * (scaled * scaled.transpose()).inverse() * model.residual);
  const Step step = solve_step(model, 0);
  EXPECT_LT((step.change - exact).norm(), 1e-7 * exact.norm());
  const Step cut = solve_step(model, 0, 0.1 * step.length);
  EXPECT_NEAR(length_of(model, cut.change), 0.1 * step.length, 1e-7 * step.length);
  // The step satisfies (SᵀBS + μD⁻²)δ = −g.
  const VectorXd image = model.jacobian.transpose() * (model.weights * (model.jacobian * cut.change)) +
                         cut.damping * trust_scale(model).cwiseAbs2().cwiseProduct(cut.change);
  EXPECT_LT((image + model.gradient()).norm(), 1e-6 * model.gradient().norm());
}

TEST(Step, WithRadiusZeroIsZero) {
  const LinearModel model = some_model(7, 3, 2);
  EXPECT_EQ(solve_step(model, 0, 0).change.norm(), 0);
  EXPECT_EQ(by_conjugate_gradients(model, 0, 0).change.norm(), 0);
}

TEST(ScaledCondition, DoesNotDependOnTheUnitsOfParameters) {
  LinearModel model = some_model(8, 4, 2);
  const double condition = scaled_condition(model);
  model.jacobian.col(1) *= 1e5;
  EXPECT_NEAR(scaled_condition(model), condition, 1e-8 * condition);
  // Two columns of norm 1 with the cosine c: √((1 + c)/(1 − c)).
  model.weights = MatrixXd::Identity(4, 4);
  model.jacobian.setZero();
  model.jacobian(0, 0) = 2;
  model.jacobian(0, 1) = 0.6, model.jacobian(1, 1) = 0.8;
  EXPECT_NEAR(scaled_condition(model), 2, 1e-12);
}

}  // namespace
}  // namespace gfdt::calibrate

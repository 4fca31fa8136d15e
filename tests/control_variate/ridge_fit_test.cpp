#include "gfdt/control_variate/fit/ridge_fit.hpp"

#include <gmock/gmock.h>

#include <random>

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Independent functions and targets over samples, [sample][…].
struct Data {
  MatrixXd functions, targets;

  FunctionMoments of_functions() const {
    return {static_cast<double>(functions.rows()), functions.colwise().sum().transpose(),
            functions.transpose() * functions};
  }
  TargetMoments of_targets() const {
    return {targets.colwise().sum().transpose(), targets.colwise().squaredNorm().transpose(),
            functions.transpose() * targets};
  }
};

MatrixXd normals(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  MatrixXd result(rows, columns);
  for (double& value : result.reshaped()) value = normal(generator);
  return result;
}

RidgeFit fit(const Data& first, const Data& second, const std::vector<std::size_t>& sizes) {
  return RidgeRegression(first.of_functions(), second.of_functions(), sizes, std::vector<double>(sizes.size(), 1.0))
      .fit(first.of_targets(), second.of_targets());
}

TEST(RidgeFit, FindsCoefficientsOfTargetsThatFunctionsSpan) {
  MatrixXd c(4, 2);
  c << 1, 0, -2, 3, 0.5, 0, 0, -1;
  Data parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].functions = normals(200, 4, 11 + i) * Eigen::Vector4d(1, 20, 0.1, 3).asDiagonal();
    parts[i].functions.col(3) += 0.9 * parts[i].functions.col(0);
    parts[i].targets = (7.0 - (parts[i].functions * c).array()).matrix();
  }
  const RidgeFit found = fit(parts[0], parts[1], {2, 4});
  EXPECT_LT((found.coefficients - c).norm(), 1e-7);
  EXPECT_THAT(found.size, testing::ElementsAre(4u, 4u));
  for (const double share : found.share) EXPECT_LT(share, 1e-6);
  EXPECT_GT(found.alternative_share[0], 0.001);
  EXPECT_EQ(found.alternative.bottomRows(2).norm(), 0) << "the next smaller set has two functions";
  EXPECT_NE(found.alternative(0, 0), 0);
}

// Thirty noise functions fitted to fifty samples increase the variance on other samples by 30/50, with a standard
// deviation of about 0.2: a false-alarm rate of about 1/500.
TEST(RidgeFit, UsesFewerFunctionsIfMoreFitOnlyNoise) {
  Data parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].functions = normals(50, 32, 21 + i);
    parts[i].targets = normals(50, 2, 31 + i);
    parts[i].targets.col(0) -= 5 * parts[i].functions.col(1);
  }
  const RidgeFit found = fit(parts[0], parts[1], {2, 32});
  EXPECT_EQ(found.size[0], 2u);
  EXPECT_NEAR(found.coefficients(1, 0), 5, 0.5);
  EXPECT_EQ(found.coefficients.col(0).tail(30).norm(), 0);
  EXPECT_NEAR(found.share[0], 1 / std::sqrt(26), 0.06);
}

TEST(RidgeFit, IsZeroIfFunctionsDoNotHelp) {
  Data parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].functions = normals(50, 30, 41 + i);
    parts[i].targets = normals(50, 1, 51 + i);
  }
  const RidgeFit found = fit(parts[0], parts[1], {30});
  EXPECT_EQ(found.coefficients.norm(), 0);
  EXPECT_THAT(found.size, testing::ElementsAre(0u));
  EXPECT_THAT(found.share, testing::ElementsAre(1.0));
}

TEST(RidgeFit, AcceptsDuplicateAndConstantFunctions) {
  Data parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].functions = normals(100, 3, 61 + i);
    parts[i].functions.col(1) = parts[i].functions.col(0);
    parts[i].functions.col(2).setZero();
    parts[i].targets = -2 * parts[i].functions.col(0);
  }
  const RidgeFit found = fit(parts[0], parts[1], {3});
  EXPECT_NEAR(found.coefficients(0, 0) + found.coefficients(1, 0), 2, 1e-7);
  EXPECT_TRUE(found.coefficients.allFinite());
  EXPECT_LT(found.share[0], 1e-6);
}

// One function vanishes at all samples, and one is nonzero at a single sample.
TEST(RidgeFit, GivesNoCoefficientToFunctionsThatFewSamplesDetermine) {
  Data parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].functions = normals(200, 4, 21 + i);
    parts[i].functions.rightCols(2).setZero();
    parts[i].targets = parts[i].functions.col(0) + 0.1 * normals(200, 1, 31 + i);
  }
  parts[0].functions(7, 3) = 1e-3;
  parts[0].targets(7, 0) += 5;
  const RidgeFit found = fit(parts[0], parts[1], {4});
  EXPECT_NEAR(found.coefficients(0, 0), -1, 0.05);
  EXPECT_EQ(found.coefficients(2, 0), 0);
  EXPECT_EQ(found.coefficients(3, 0), 0);
}

}  // namespace
}  // namespace gfdt::control_variate

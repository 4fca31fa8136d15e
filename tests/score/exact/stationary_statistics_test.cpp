#include "gfdt/score/exact/stationary_statistics.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "../../symbolic/model/paper_models.hpp"

namespace gfdt::score {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::DoubleNear;
using testing::Pointwise;

/// log ρ of the quartic model at its parameters, for which D = 2.
double quartic_log_density(double x) { return x * x / 2 - x * x * x * x / 4; }

/// Covariances over this density by Simpson's rule, split at 2.
template <class A, class B>
double quartic_covariance(const A& a, const B& b) {
  double mass = 0, mean_a = 0, mean_b = 0, both = 0;
  for (const auto& [from, to] : {std::pair{-6.0, 2.0}, {2.0, 6.0}}) {
    const int steps = 40000;
    for (int i = 0; i <= steps; ++i) {
      const double x = from + (to - from) * i / steps;
      const double inside = std::min(std::max(x, from + 1e-12), to - 1e-12);
      const double weight = (i == 0 || i == steps ? 1
                             : i % 2              ? 4
                                                  : 2) *
                            (to - from) / steps / 3 * std::exp(quartic_log_density(x));
      mass += weight;
      mean_a += weight * a(inside);
      mean_b += weight * b(inside);
      both += weight * a(inside) * b(inside);
    }
  }
  return both / mass - mean_a * mean_b / mass / mass;
}

TEST(StationaryStatistics, OfAnOrnsteinUhlenbeckProcessAreThoseOfANormal) {
  Description description = symbolic::ou();
  description.parameters[0].value = 0.8;
  description.parameters[1].value = 1.3;
  description.observable("variance", "x^2").observable("size", "abs(x)").observable("band", "-0.5 < x < 1");
  const double variance = 1.3 * 1.3 / 1.6, s = std::sqrt(variance);
  const auto normal = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };
  const double band = normal(1 / s) - normal(-0.5 / s);
  const StationaryStatistics found = stationary_statistics(build(description));
  EXPECT_THAT(found.mean, Pointwise(DoubleNear(1e-11), {variance, s * std::sqrt(2 / std::numbers::pi), band}));
  EXPECT_THAT(found.standard_deviation,
              Pointwise(DoubleNear(1e-10), {std::numbers::sqrt2 * variance, s * std::sqrt(1 - 2 / std::numbers::pi),
                                            std::sqrt(band * (1 - band))}));
  const std::vector<double> jacobian = stationary_jacobian(build(description));
  EXPECT_NEAR(jacobian[0], -1.3 * 1.3 / (2 * 0.8 * 0.8), 1e-9);
  EXPECT_NEAR(jacobian[1], 1.3 / 0.8, 1e-9);
}

// D = 2, so that ∂log ρ/∂αₙ = xⁿ/n: the entries of the Jacobian are covariances with it.
TEST(StationaryStatistics, JacobianOfTheQuarticModelAgreesWithCovariances) {
  Description description = symbolic::quartic();
  description.observable("mean", "x").observable("second", "x^2").observable("tail", "x > 2");
  const std::vector<double> jacobian = stationary_jacobian(build(description));
  ASSERT_EQ(jacobian.size(), 21u);
  for (int n = 1; n <= 4; ++n) {
    const auto change = [n](double x) { return std::pow(x, n) / n; };
    const auto column = static_cast<std::size_t>(n - 1);
    EXPECT_NEAR(jacobian[column], quartic_covariance([](double x) { return x; }, change), 1e-8) << n;
    EXPECT_NEAR(jacobian[7 + column], quartic_covariance([](double x) { return x * x; }, change), 1e-8) << n;
    EXPECT_NEAR(jacobian[14 + column], quartic_covariance([](double x) { return x > 2 ? 1.0 : 0.0; }, change), 1e-8)
        << n;
  }
}

TEST(StationaryStatistics, OfTheScalarModelAgreeWithReferenceValues) {
  Description description = symbolic::scalar();
  const double values[] = {0.72, -0.02664, -0.2, 0.0494, 0.84852};
  for (std::size_t i = 0; i < 5; ++i) description.parameters[i].value = values[i];
  description.observable("low", "x <= 2.5");
  EXPECT_NEAR(stationary_statistics(build(description)).mean[0], 0.973246196, 1e-9);
  EXPECT_NEAR(stationary_jacobian(build(description))[3], 0.80975773213, 1e-9);
}

}  // namespace
}  // namespace gfdt::score

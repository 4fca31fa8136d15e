#include "gfdt/score/fields/mean_field.hpp"

#include <gmock/gmock.h>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/fields/callable_field.hpp"

namespace gfdt::score {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::shared_ptr<const Field> gaussian(double mean, double precision) {
  return std::make_shared<GaussianField>(std::vector<double>{mean, -mean},
                                         std::vector<double>{precision, 0.25, 0.25, 2 * precision}, "a Gaussian");
}

/// s = (x₀² − x₁, x₀x₁)
std::shared_ptr<const Field> quadratic() {
  return std::make_shared<CallableField>(
      2,
      [](std::span<const double> x, std::span<double> s) {
        s[0] = x[0] * x[0] - x[1];
        s[1] = x[0] * x[1];
      },
      [](std::span<const double> x, std::span<const double> v, std::span<double> sv) {
        sv[0] = 2 * x[0] * v[0] - v[1];
        sv[1] = x[1] * v[0] + x[0] * v[1];
      },
      "a quadratic");
}

TEST(MeanField, IsTheMeanOfScoresAndOfTheirJacobians) {
  const MeanField mean({gaussian(1, 2), quadratic()});
  const std::vector<double> x{0.5, 3};  // one state
  const JacobianEntry entries[] = {{0, 0}, {1, 0}, {0, 1}};
  std::vector<double> s(2), values(3);
  mean.jacobian(x.data(), 1, entries, s.data(), values.data());
  // Gaussian: −2(0.5 − 1) − 0.25(3 + 1) = 0 and −0.25(0.5 − 1) − 4(3 + 1) = −15.875.
  EXPECT_DOUBLE_EQ(s[0], (0 + 0.25 - 3) / 2);
  EXPECT_DOUBLE_EQ(s[1], (-15.875 + 1.5) / 2);
  EXPECT_DOUBLE_EQ(values[0], (-2 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(values[1], (-0.25 + 3) / 2);
  EXPECT_DOUBLE_EQ(values[2], (-0.25 - 1) / 2);
}

TEST(MeanField, HasConsistentDerivativesInBlocksOfAnySize) {
  expect_consistent(MeanField({gaussian(1, 2), quadratic(), gaussian(-0.3, 0.7)}));
}

TEST(MeanField, OfOneScoreIsThatScore) {
  const auto one = quadratic();
  const MeanField mean({one});
  const std::vector<double> x = normal_block(2, 7);
  std::vector<double> s(14), same(14);
  mean.evaluate(x.data(), 7, s.data());
  one->evaluate(x.data(), 7, same.data());
  EXPECT_EQ(s, same);
}

TEST(MeanField, OverwritesPreviousValues) {
  const MeanField mean({gaussian(1, 2), gaussian(0, 1)});
  const std::vector<double> x = normal_block(2, 3), v = normal_block(2, 3, 4);
  std::vector<double> s(6, 1e9), sv(6, 1e9), again(6), slope(6);
  mean.differentiate(x.data(), 3, 1, v.data(), s.data(), sv.data());
  mean.differentiate(x.data(), 3, 1, v.data(), again.data(), slope.data());
  EXPECT_EQ(s, again);
  EXPECT_EQ(sv, slope);
}

TEST(MeanField, DescribesItsComponents) {
  EXPECT_THAT(MeanField({quadratic(), quadratic()}).description(), StartsWith("mean of 2: a quadratic"));
  EXPECT_EQ(MeanField({quadratic(), quadratic()}).probes(), 0);
}

TEST(MeanField, RejectsEmptyListsAndDifferentDimensions) {
  EXPECT_THAT(complaint([] { MeanField({}); }), HasSubstr("no scores"));
  const auto other = std::make_shared<GaussianField>(std::vector<double>{0}, std::vector<double>{1}, "");
  EXPECT_THAT(complaint([&] { MeanField({quadratic(), other}); }), HasSubstr("different dimensions"));
}

}  // namespace
}  // namespace gfdt::score

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "gfdt/symbolic/derived/derivative_check.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

void expect_agreement(const Description& description, std::size_t least) {
  std::vector<DerivativeCheck> checks = check_derivatives(build(description));
  EXPECT_GE(checks.size(), least);
  for (const DerivativeCheck& check : checks) EXPECT_TRUE(check.agrees()) << check.what << ": " << check.largest_error;
}

TEST(DerivativeCheck, AgreesOnTheModelsOfThePaper) {
  expect_agreement(ou(), 3);
  expect_agreement(quartic(), 9);
  expect_agreement(scalar(), 8);
  expect_agreement(triad(), 8);
  expect_agreement(lorenz96(), 8);
  expect_agreement(two_scale_lorenz96(), 6);
}

TEST(DerivativeCheck, AgreesNearKinks) {
  Description d;
  d.parameter("a", 0.7).parameter("b", 1.3);
  d.state("x", "-a*abs(x) + b*min(x, 0.3) - b^2*max(x^3, 2*x)", "a");
  expect_agreement(d, 5);
}

TEST(DerivativeCheck, SkipsStatesWhereFormulasAreUndefined) {
  Description d;
  d.parameter("a", 0.7);
  d.state("x", "-x + a*log(x)", "1 + a*sqrt(x)");
  expect_agreement(d, 2);
}

TEST(DerivativeCheck, SkipsParametersWithoutAConjugate) {
  Description d;
  d.index("k", 4).parameter("a", 0.7).parameter("b", 0.3).state("X[k]", "-b*X[k]^2");
  d.diffusion = {{"X", {{"w", "a"}}}};
  std::vector<DerivativeCheck> checks = check_derivatives(build(d));
  ASSERT_EQ(checks.size(), 2u);
  for (const DerivativeCheck& check : checks) EXPECT_TRUE(check.agrees() && check.what.find("b") != std::string::npos);
}

TEST(DerivativeCheck, StatesAreDrawnFromTheInitialDistribution) {
  // The drift is so steep that central differences have errors of 6e-4, except at the maximum of the sine.
  Description d;
  d.parameter("a", 1).state("x", "a*sin(10000*x)");
  auto all_agree = [&](double start) {
    d.initial = {{"x", {start, 0}}};
    return std::ranges::all_of(check_derivatives(build(d), 2), &DerivativeCheck::agrees);
  };
  EXPECT_FALSE(all_agree(0));
  EXPECT_TRUE(all_agree(std::numbers::pi / 20000));
}

}  // namespace
}  // namespace gfdt::symbolic

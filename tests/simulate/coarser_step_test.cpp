// The order that is assumed for the bias of a scheme.
#include "gfdt/simulate/coarser_step.hpp"

#include <gtest/gtest.h>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::simulate {
namespace {

double excess(const std::string& noise, Scheme scheme = Scheme::euler_maruyama) {
  symbolic::Description description;
  description.parameter("s", 0.5).state("x", "1 - x", noise);
  return excess_bias(build(description), scheme, 4);
}

TEST(CoarserStep, HasTheBiasOfTheWeakOrder) {
  EXPECT_DOUBLE_EQ(excess("s"), 3);
  EXPECT_DOUBLE_EQ(excess("s*x", Scheme::weak2), 15);
  EXPECT_DOUBLE_EQ(excess("s", Scheme::rk4), 3);
}

TEST(CoarserStep, HasOrderOneHalfAtRootsInTheNoise) {
  for (const char* noise : {"s*sqrt(x)", "s*sqrt(abs(x))", "sqrt(max(x, 0)) + s", "abs(x)^0.7"}) {
    EXPECT_DOUBLE_EQ(excess(noise), 1) << noise;
    EXPECT_DOUBLE_EQ(excess(noise, Scheme::weak2), 1) << noise;
  }
  for (const char* noise : {"sqrt(1 + x^2)", "s*sqrt(2 + tanh(x))", "sqrt(s)*x", "abs(x)^1.5"})
    EXPECT_DOUBLE_EQ(excess(noise), 3) << noise;
}

}  // namespace
}  // namespace gfdt::simulate

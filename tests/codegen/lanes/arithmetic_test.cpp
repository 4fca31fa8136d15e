#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "functions.hpp"

namespace gfdt::lanes::test {
namespace {

template <class T>
class Arithmetic : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Arithmetic, Types);

TYPED_TEST(Arithmetic, TruthIsOneOrZero) {
  using T = TypeParam;
  for (const Isa isa : available_isas()) {
    const auto call = [&](Function2 function, T a, T b) { return apply<T>(isa, function, a, b); };
    EXPECT_EQ(call(Function2::less, 1, 2), 1);
    EXPECT_EQ(call(Function2::less, 2, 2), 0);
    EXPECT_EQ(call(Function2::less_equal, 2, 2), 1);
    EXPECT_EQ(call(Function2::less_equal, 3, 2), 0);
    EXPECT_EQ(call(Function2::equal, 2, 2), 1);
    EXPECT_EQ(call(Function2::equal, 0, -T{0}), 1);
    EXPECT_EQ(call(Function2::equal, 2, 1), 0);
    EXPECT_EQ(call(Function2::logical_and, 2, -1), 1);
    EXPECT_EQ(call(Function2::logical_and, 2, 0), 0);
    EXPECT_EQ(call(Function2::logical_or, 0, -T{0}), 0);
    EXPECT_EQ(call(Function2::logical_or, 0, T(0.5)), 1);
  }
}

TYPED_TEST(Arithmetic, MinAndMaxPropagateNanFromEitherSide) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(apply<T>(isa, Function2::min, 1, 2), 1);
    EXPECT_EQ(apply<T>(isa, Function2::min, 2, 1), 1);
    EXPECT_EQ(apply<T>(isa, Function2::max, 1, 2), 2);
    EXPECT_EQ(apply<T>(isa, Function2::max, 2, 1), 2);
    for (const Function2 function : {Function2::min, Function2::max}) {
      EXPECT_TRUE(std::isnan(apply<T>(isa, function, nan, 1)));
      EXPECT_TRUE(std::isnan(apply<T>(isa, function, 1, nan)));
    }
  }
}

TYPED_TEST(Arithmetic, SignAndAbs) {
  using T = TypeParam;
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(apply<T>(isa, Function::sign, T(-0.3)), -1);
    EXPECT_EQ(apply<T>(isa, Function::sign, T(7)), 1);
    EXPECT_EQ(apply<T>(isa, Function::sign, T(0)), 0);
    EXPECT_EQ(apply<T>(isa, Function::abs, T(-0.3)), T(0.3));
  }
}

TYPED_TEST(Arithmetic, PowEqualsTheLibrary) {
  using T = TypeParam;
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(apply<T>(isa, Function2::pow, T(1.7), T(-2.3)), std::pow(T(1.7), T(-2.3)));
    EXPECT_EQ(apply<T>(isa, Function2::pow, T(-2), T(3)), -8);
  }
}

TEST(Vector, WidensSinglePrecisionRows) {
  alignas(64) float x[16];
  for (int i = 0; i < 16; ++i) x[i] = static_cast<float>(i) + 0.25f;
  for (const Isa isa : available_isas()) {
    alignas(64) double y[16] = {};
    GFDT_CHOOSE_ISA(isa, widen)(x, y, 16);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(y[i], x[i]) << name(isa);
  }
}

TYPED_TEST(Arithmetic, AnyDetectsEveryLane) {
  using T = TypeParam;
  for (const Isa isa : available_isas()) {
    const auto any = [isa](const T* x) {
      if constexpr (sizeof(T) == sizeof(float))
        return GFDT_CHOOSE_ISA(isa, any_float)(x);
      else
        return GFDT_CHOOSE_ISA(isa, any_double)(x);
    };
    alignas(64) T lanes[16] = {};
    EXPECT_FALSE(any(lanes));
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(float_lanes(isa)) * sizeof(float) / sizeof(T); ++lane) {
      lanes[lane] = 1;
      EXPECT_TRUE(any(lanes)) << name(isa) << " lane " << lane;
      lanes[lane] = 0;
    }
  }
}

}  // namespace
}  // namespace gfdt::lanes::test

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "functions.hpp"

namespace gfdt::lanes::test {
namespace {

template <class T>
class SpecialValues : public testing::Test {
 public:
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T smallest = std::numeric_limits<T>::denorm_min();

  void expect(Function function, T x, T expected) {
    for (const Isa isa : available_isas()) {
      const T got = apply(isa, function, x);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << name(isa) << " " << x << " gives " << got;
      } else {
        EXPECT_EQ(got, expected) << name(isa) << " " << x;
      }
    }
  }
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialValues, Types);

TYPED_TEST(SpecialValues, NanGivesNan) {
  for (const Function function :
       {Function::sqrt, Function::exp, Function::log, Function::sin, Function::cos, Function::tan, Function::sinh,
        Function::cosh, Function::tanh, Function::atan, Function::erf, Function::abs, Function::sign})
    this->expect(function, this->nan, this->nan);
}

TYPED_TEST(SpecialValues, InfinityGivesTheLimit) {
  this->expect(Function::sqrt, this->infinity, this->infinity);
  this->expect(Function::exp, this->infinity, this->infinity);
  this->expect(Function::exp, -this->infinity, 0);
  this->expect(Function::log, this->infinity, this->infinity);
  this->expect(Function::sinh, this->infinity, this->infinity);
  this->expect(Function::sinh, -this->infinity, -this->infinity);
  this->expect(Function::cosh, -this->infinity, this->infinity);
  this->expect(Function::tanh, this->infinity, 1);
  this->expect(Function::tanh, -this->infinity, -1);
  this->expect(Function::sin, this->infinity, this->nan);
  this->expect(Function::cos, -this->infinity, this->nan);
  this->expect(Function::abs, -this->infinity, this->infinity);
  this->expect(Function::sign, -this->infinity, -1);
}

TYPED_TEST(SpecialValues, ZeroGivesExactlyZeroOneOrMinusInfinity) {
  for (const TypeParam zero : {TypeParam{0}, -TypeParam{0}}) {
    for (const Function odd : {Function::sqrt, Function::sin, Function::tan, Function::sinh, Function::tanh,
                               Function::atan, Function::erf, Function::sign})
      this->expect(odd, zero, zero);
    for (const Function even : {Function::exp, Function::cos, Function::cosh}) this->expect(even, zero, 1);
    this->expect(Function::log, zero, -this->infinity);
  }
}

TYPED_TEST(SpecialValues, LogAndSqrtOfNegativeNumbersAreNan) {
  for (const TypeParam x : {TypeParam{-1}, -this->smallest, -this->infinity}) {
    this->expect(Function::log, x, this->nan);
    this->expect(Function::sqrt, x, this->nan);
  }
}

TYPED_TEST(SpecialValues, OverflowAndUnderflowAgreeWithTheLibrary) {
  using Limits = std::numeric_limits<TypeParam>;
  const TypeParam top = std::log(Limits::max()), bottom = std::log(Limits::denorm_min());
  this->expect(Function::exp, top + TypeParam(0.1), this->infinity);
  this->expect(Function::exp, bottom - 1, 0);
  this->expect(Function::exp, bottom, this->smallest);
  this->expect(Function::cosh, top + 1, this->infinity);
  this->expect(Function::sinh, -top - 1, -this->infinity);
  for (const Isa isa : available_isas()) {
    EXPECT_TRUE(std::isfinite(apply<TypeParam>(isa, Function::sinh, top + TypeParam(0.5)))) << "½ eˣ has not overflown";
    EXPECT_EQ(apply<TypeParam>(isa, Function::log, 1), 0);
    EXPECT_EQ(apply<TypeParam>(isa, Function::exp, 0), 1);
  }
}

TYPED_TEST(SpecialValues, LargeArgumentInOneLaneDoesNotAffectOthers) {
  std::vector<TypeParam> x(16, TypeParam(0.5));
  x[3] = TypeParam(1e30);
  x[11] = this->infinity;
  for (const Isa isa : available_isas()) {
    const auto y = apply<TypeParam>(isa, Function::sin, x);
    EXPECT_EQ(y[3], std::sin(x[3]));
    EXPECT_TRUE(std::isnan(y[11]));
    for (const std::size_t i : {0, 1, 2, 4, 10, 12, 15}) EXPECT_NEAR(y[i], std::sin(0.5), 1e-7);
  }
}

}  // namespace
}  // namespace gfdt::lanes::test

#include "gfdt/base/with_error.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace gfdt {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(WithError, PrintsTwoDigitsOfTheErrorInUnitsOfTheLastDigit) {
  EXPECT_EQ(with_error(0.50237, 0.01234), "0.502(12)");
  EXPECT_EQ(with_error(-0.02311, 0.0089), "-0.0231(89)");
  EXPECT_EQ(with_error(1.358, 0.007), "1.3580(70)");
  EXPECT_EQ(with_error(123.456, 0.98), "123.46(98)");
}

TEST(WithError, ErrorOfAtLeastOneHasADecimalPointIfTheValueHasOne) {
  EXPECT_EQ(with_error(12.34, 4.56), "12.3(4.6)");
  EXPECT_EQ(with_error(5, 1), "5.0(1.0)");
  EXPECT_EQ(with_error(1234, 56), "1234(56)");
  EXPECT_EQ(with_error(123456, 789), "123456(789)");
}

TEST(WithError, RoundingMayAddADigit) {
  EXPECT_EQ(with_error(9.96, 0.3), "9.96(30)");
  EXPECT_EQ(with_error(9.996, 0.25), "10.00(25)");
  EXPECT_EQ(with_error(0.5, 0.0996), "0.50(10)");  // not 0.500(100)
  EXPECT_EQ(with_error(0.5, 0.0994), "0.500(99)");
  EXPECT_EQ(with_error(5, 0.996), "5.0(1.0)");
  EXPECT_EQ(with_error(50, 9.96), "50(10)");
}

TEST(WithError, LargeAndSmallValuesHaveAnExponent) {
  EXPECT_EQ(with_error(1598000, 16000), "1.598(16)×10⁶");
  EXPECT_EQ(with_error(-1.23e-4, 4.5e-5), "-1.23(45)×10⁻⁴");
  EXPECT_EQ(with_error(9.9996e-5, 2.5e-7), "1.0000(25)×10⁻⁴");
  EXPECT_EQ(with_error(9.999e6, 2.5e5), "1.000(25)×10⁷");
  EXPECT_EQ(with_error(3e300, 2e299), "3.00(20)×10³⁰⁰");
  EXPECT_EQ(with_error(3e-310, 2e-311), "3.00(20)×10⁻³¹⁰");
}

TEST(WithError, ErrorMayExceedTheValue) {
  EXPECT_EQ(with_error(0.0012, 0.45), "0.00(45)");
  EXPECT_EQ(with_error(-0.0012, 0.45), "0.00(45)");  // no negative zero
  EXPECT_EQ(with_error(0.3, 4.5), "0.3(4.5)");
  EXPECT_EQ(with_error(0, 0.02), "0.000(20)");
  EXPECT_EQ(with_error(2, 5e6), "0.0(5.0)×10⁶");
}

TEST(WithError, ZeroErrorIsOmitted) {
  EXPECT_EQ(with_error(0.25, 0), "0.25");
  EXPECT_EQ(with_error(1.0 / 3, 1e-17), "0.333333");
  EXPECT_EQ(with_error(-0.0, 0), "0");
}

TEST(WithError, UnknownAndInfiniteErrorsAreMarked) {
  EXPECT_EQ(with_error(0.712345, nan), "0.7123(?)");
  EXPECT_EQ(with_error(0.712345, infinity), "0.7123 (not determined)");
  EXPECT_EQ(with_error(nan, 0.1), "undefined");
  EXPECT_EQ(with_error(infinity, 0.1), "undefined");
}

}  // namespace
}  // namespace gfdt

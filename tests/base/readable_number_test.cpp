#include "gfdt/base/readable_number.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace gfdt {
namespace {

TEST(ReadableNumber, PowersOfTenHaveRaisedDigits) {
  EXPECT_EQ(times_power_of_ten(6), "×10⁶");
  EXPECT_EQ(times_power_of_ten(-123), "×10⁻¹²³");
}

TEST(ReadableNumber, ApproximateNumbersHaveThreeDigits) {
  EXPECT_EQ(approximate(0), "0");
  EXPECT_EQ(approximate(0.012345), "0.0123");
  EXPECT_EQ(approximate(12.345), "12.3");
  EXPECT_EQ(approximate(999.7), "1000");
  EXPECT_EQ(approximate(123456), "123456");
  EXPECT_EQ(approximate(7.512e12), "7.51×10¹²");
  EXPECT_EQ(approximate(9.999e6), "1.00×10⁷");
  EXPECT_EQ(approximate(-2.5e-7), "-2.50×10⁻⁷");
  EXPECT_EQ(approximate(std::numeric_limits<double>::infinity()), "inf");
}

TEST(ReadableNumber, PercentagesHaveTwoDigits) {
  EXPECT_EQ(percent(0.0035), "0.35 %");
  EXPECT_EQ(percent(0.059), "5.9 %");
  EXPECT_EQ(percent(0.0996), "10 %");
  EXPECT_EQ(percent(0.268), "27 %");
  EXPECT_EQ(percent(1.324), "132 %");
}

}  // namespace
}  // namespace gfdt

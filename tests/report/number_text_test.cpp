#include "gfdt/report/number_text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace gfdt::report {
namespace {

TEST(WithError, KeepsTheDigitsThatMeanSomething) {
  EXPECT_EQ(plus_minus(1.35812, 0.0071), "1.3581 ± 0.0071");
  EXPECT_EQ(plus_minus(-0.19622, 0.0781), "-0.196 ± 0.078");
  EXPECT_EQ(plus_minus(1598000, 16000), "(1.598 ± 0.016)×10⁶");
  EXPECT_EQ(plus_minus(2.5, 0), "2.5");
  EXPECT_EQ(plus_minus(2.5, std::numeric_limits<double>::infinity()), "2.5");
  EXPECT_EQ(plus_minus(std::nan(""), 1), "undefined");
}

TEST(RoundedTo, HasTheDigitsOfTheError) {
  EXPECT_EQ(rounded_to(1.35812, 0.0071), "1.3581");
  EXPECT_EQ(rounded_to(0.41234, 0.05), "0.412");
  EXPECT_EQ(rounded_to(1598000, 16000), "1.598e+06");
  EXPECT_EQ(rounded_to(std::nan(""), 1), "–");
}

TEST(Brief, SaysWhatIsNoNumber) {
  EXPECT_EQ(brief(0.123456), "0.1235");
  EXPECT_EQ(brief(std::nan("")), "–");
  EXPECT_EQ(brief(std::numeric_limits<double>::infinity()), "∞");
}

TEST(Duration, HasTheUnitsOfItsSize) {
  EXPECT_EQ(duration(0.25), "0.25 s");
  EXPECT_EQ(duration(125), "2 min 5 s");
  EXPECT_EQ(duration(7860), "2 h 11 min");
  EXPECT_EQ(duration(std::nan("")), "–");
}

}  // namespace
}  // namespace gfdt::report

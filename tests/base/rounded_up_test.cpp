#include "gfdt/base/rounded_up.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace gfdt {
namespace {

std::string text(double value) { return fmt::format("{:g}", rounded_up(value)); }

TEST(RoundedUp, KeepsTwoSignificantDigits) {
  EXPECT_EQ(text(163.4), "170");
  EXPECT_EQ(text(400), "400");
  EXPECT_EQ(text(991), "1000");
  EXPECT_EQ(text(0.01234), "0.013");
  EXPECT_EQ(text(16 * 26.4), "430");
}

TEST(RoundedUp, ReturnsZeroAndInfinityUnchanged) {
  EXPECT_EQ(rounded_up(0), 0);
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace gfdt

#include "gfdt/base/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>

namespace gfdt {
namespace {

TEST(Memory, IsFormattedWithTwoOrThreeDigits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1234), "1.2 kB");
  EXPECT_EQ(bytes_text(45.6e6), "46 MB");
  EXPECT_EQ(bytes_text(999.7e6), "1.0 GB");
  EXPECT_EQ(bytes_text(12.3e15), "12300 TB");
}

TEST(Memory, AvailableMemoryRespectsTheAddressSpaceLimit) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const double without = available_memory();
  EXPECT_GT(without, 0);
  EXPECT_TRUE(std::isfinite(without));
  rlimit limited = before;
  limited.rlim_cur = rlim_t{1} << 33;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const double with = available_memory();
  EXPECT_LE(with, std::min(without * 1.1, 0x1p33));
  EXPECT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

}  // namespace
}  // namespace gfdt

#include "gfdt/codegen/lanes/isa.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "gfdt/base/error.hpp"

namespace gfdt::lanes {
namespace {

TEST(Isa, BaselineAndBestAreAvailable) {
  const auto isas = available_isas();
  ASSERT_FALSE(isas.empty());
  EXPECT_EQ(isas.front(), Isa::baseline);
  if (std::getenv("GFDT_ISA") == nullptr) {
    EXPECT_EQ(best_isa(), isas.back());
  }
}

TEST(IsaDeathTest, EnvironmentSelectsAndUnknownNamesAreRejected) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto best_with = [](const char* requested) {
    setenv("GFDT_ISA", requested, 1);
    try {
      std::exit(best_isa() == Isa::baseline ? 7 : 8);
    } catch (const Error&) {
      std::exit(9);
    }
  };
  EXPECT_EXIT(best_with("baseline"), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(best_with("avx1024"), testing::ExitedWithCode(9), "");
}

}  // namespace
}  // namespace gfdt::lanes

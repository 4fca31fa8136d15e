#include "gfdt/report/round_ticks.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace gfdt::report {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(RoundTicks, AreMultiplesOfOneTwoOrFive) {
  EXPECT_THAT(round_ticks(-2.7, 2.6, 7), ElementsAre(-2, -1, 0, 1, 2));
  EXPECT_THAT(round_ticks(0, 100, 6), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(round_ticks(-7, 9, 5), ElementsAre(-5, 0, 5));
  EXPECT_THAT(round_ticks(0, 0.36, 5),
              ElementsAre(0, DoubleNear(0.1, 1e-15), DoubleNear(0.2, 1e-15), DoubleNear(0.3, 1e-15)));
}

TEST(RoundTicks, StayWithinTheirNumberAndRange) {
  for (double low : {-3.3, 0.0, 1e-7, 1234.5})
    for (double span : {1e-9, 0.7, 3.0, 9.99, 4e6})
      for (int most : {2, 5, 8}) {
        const std::vector<double> ticks = round_ticks(low, low + span, most);
        EXPECT_LE(ticks.size(), static_cast<std::size_t>(most));
        for (double tick : ticks) {
          EXPECT_GE(tick, low - 1e-6 * span);
          EXPECT_LE(tick, low + span * (1 + 1e-6));
        }
        EXPECT_GE(ticks.size(), most == 8 ? 2u : 0u) << low << " " << span;
      }
}

TEST(RoundTicks, AnEmptyRangeHasNone) {
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
  EXPECT_TRUE(round_ticks(0, std::nan(""), 5).empty());
}

}  // namespace
}  // namespace gfdt::report

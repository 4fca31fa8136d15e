#include "gfdt/parallel/ranks.hpp"

#include <gmock/gmock.h>

#include "gfdt/base/error.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt {
namespace {

TEST(Ranks, ProcessNotStartedByMpiIsTheOnlyRank) {
  EXPECT_EQ(ranks::own(), 0);
  EXPECT_EQ(ranks::count(), 1);
  EXPECT_EQ(ranks::cores(), 0);
  std::string taken;
  ranks::exchange(
      "anything", [] { return std::string("own"); },
      [&](int rank, std::string_view bytes) { taken += std::to_string(rank) + std::string(bytes); });
  EXPECT_EQ(taken, "0own");
  EXPECT_EQ(ranks::broadcast_from_root("anything", [] { return std::string("said"); }), "said");
  EXPECT_NO_THROW(ranks::require_same("anything", std::string("text")));
  EXPECT_EQ(ranks::traffic().exchanges, 0u);
}

TEST(Ranks, SingleProcessKeepsTheTypeOfExceptions) {
  struct Own : Error {
    using Error::Error;
  };
  EXPECT_THROW(ranks::exchange(
                   "anything", []() -> std::string { throw Own("It failed."); }, [](int, std::string_view) {}),
               Own);
}

TEST(Spread, SingleProcessVisitsAllBlocksWithoutSerializing) {
  std::vector<int> visits(100, 0);
  int packed = 0;
  for_each_block_on_ranks("blocks", visits.size(), 3, [&](std::size_t block) { ++visits[block]; },
                          {[&](std::size_t, Packer&) { ++packed; }, [&](std::size_t, Unpacker&) { ++packed; }});
  EXPECT_THAT(visits, testing::Each(1));
  EXPECT_EQ(packed, 0);
}

}  // namespace
}  // namespace gfdt

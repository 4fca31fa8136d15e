#include "gfdt/parallel/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace gfdt {
namespace {

TEST(ForEachBlock, VisitsEveryBlockOnceOnAnyNumberOfThreads) {
  for (int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> visits(100);
    for_each_block(visits.size(), threads, [&](std::size_t block) { ++visits[block]; });
    for (auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(ForEachBlock, RethrowsTheFirstException) {
  std::atomic<int> done{0};
  auto work = [&](std::size_t block) {
    if (block == 3) throw std::runtime_error("block 3 failed");
    ++done;
  };
  EXPECT_THROW(for_each_block(1000000, 2, work), std::runtime_error);
  EXPECT_LT(done, 1000000);
}

TEST(AvailableThreads, IsPositive) { EXPECT_GE(available_threads(), 1); }

}  // namespace
}  // namespace gfdt

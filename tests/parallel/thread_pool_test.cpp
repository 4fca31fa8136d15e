#include "gfdt/parallel/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace gfdt {
namespace {

TEST(ThreadPool, RunsEveryBlockOnceInManyCalls) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (std::size_t blocks : {0u, 1u, 2u, 7u, 100u})
      for (int call = 0; call < 50; ++call) {
        std::vector<int> seen(blocks, 0);
        pool.for_each_block(blocks, [&](std::size_t block, int worker) {
          ASSERT_LT(worker, threads);
          ++seen[block];
        });
        EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0u), blocks);
        for (int count : seen) EXPECT_EQ(count, 1);
      }
  }
}

TEST(ThreadPool, CallsOfTheSameWorkerNeverOverlap) {
  ThreadPool pool(4);
  std::atomic<int> busy[4] = {};
  pool.for_each_block(400, [&](std::size_t, int worker) {
    EXPECT_EQ(busy[worker].fetch_add(1), 0);
    busy[worker].fetch_sub(1);
  });
}

TEST(ThreadPool, RethrowsTheFirstExceptionAndRemainsUsable) {
  ThreadPool pool(3);
  const auto failing = [](std::size_t block, int) {
    if (block == 5) throw std::runtime_error("five");
  };
  EXPECT_THROW(pool.for_each_block(100, failing), std::runtime_error);
  std::atomic<int> count = 0;
  pool.for_each_block(10, [&](std::size_t, int) { ++count; });
  EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace gfdt

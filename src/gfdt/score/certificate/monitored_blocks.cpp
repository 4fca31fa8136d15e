#include "gfdt/score/certificate/monitored_blocks.hpp"

#include <algorithm>
#include <mutex>

#include "gfdt/parallel/ranks.hpp"

namespace gfdt::score {

bool for_each_monitored_block(std::size_t blocks, int threads, const Watch& watch,
                              const std::function<void(std::size_t)>& work, const BlockSerializer& serializer) {
  std::mutex mutex;
  std::size_t done = 0;
  const double share = static_cast<double>(blocks) / ranks::count();
  const auto monitored = [&](std::size_t block) {
    ranks::poll();
    if (watch.cancelled()) return;
    work(block);
    if (watch.progress == nullptr || !*watch.progress) return;
    std::lock_guard lock(mutex);
    ++done;
    (*watch.progress)({watch.stage, std::min(1.0, static_cast<double>(done) / share)});
  };
  for_each_block_on_ranks(watch.stage, blocks, threads, monitored, serializer);
  return !watch.cancelled();
}

}  // namespace gfdt::score

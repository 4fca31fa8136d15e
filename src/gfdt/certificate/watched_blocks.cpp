#include "gfdt/certificate/watched_blocks.hpp"

#include <mutex>

namespace gfdt::certificate {

bool for_each_watched_block(std::size_t blocks, int threads, const Watch& watch,
                            const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::size_t done = 0;
  for_each_block(blocks, threads > 0 ? threads : available_threads(), [&](std::size_t block) {
    if (watch.cancelled()) return;
    work(block);
    if (watch.progress == nullptr || !*watch.progress) return;
    std::lock_guard lock(mutex);
    ++done;
    (*watch.progress)({watch.stage, static_cast<double>(done) / static_cast<double>(blocks)});
  });
  return !watch.cancelled();
}

}  // namespace gfdt::certificate

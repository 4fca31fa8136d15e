#include "gfdt/parallel/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "gfdt/parallel/ranks.hpp"

namespace gfdt {

int available_threads() {
  if (const int cores = ranks::cores(); cores > 0) return cores;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void for_each_block(std::size_t blocks, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto worker = [&] {
    while (!failed.load(std::memory_order_relaxed)) {
      std::size_t block = next.fetch_add(1);
      if (block >= blocks) return;
      try {
        work(block);
      } catch (...) {
        std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        failed = true;
      }
    }
  };
  std::vector<std::jthread> pool;
  std::size_t crew_size = std::min(static_cast<std::size_t>(std::max(threads, 1)), blocks);
  for (std::size_t i = 1; i < crew_size; ++i) pool.emplace_back(worker);
  worker();
  pool.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gfdt

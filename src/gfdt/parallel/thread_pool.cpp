#include "gfdt/parallel/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace gfdt {
namespace {

/// Polls for about as long as a thread needs to sleep and wake up, then sleeps until the number changes.
void wait_for_change(const std::atomic<unsigned>& number, unsigned old) {
  for (int look = 0; look < 4000; ++look) {
    if (number.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  number.wait(old, std::memory_order_acquire);
}

}  // namespace

struct ThreadPool::Shared {
  std::atomic<unsigned> call{0};      // number of calls; workers wait for the next
  std::atomic<unsigned> finished{0};  // number of workers that have finished the call
  std::atomic<std::size_t> next{0};
  std::size_t blocks = 0;
  const std::function<void(std::size_t, int)>* work = nullptr;
  bool closing = false;
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::vector<std::jthread> threads;

  void take_blocks(int worker) {
    for (std::size_t block; (block = next.fetch_add(1)) < blocks;) try {
        (*work)(block, worker);
      } catch (...) {
        std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = blocks;
      }
  }

  void serve(int worker) {
    for (unsigned seen = 0;; ++seen) {
      wait_for_change(call, seen);
      if (closing) return;
      take_blocks(worker);
      finished.fetch_add(1, std::memory_order_acq_rel);
      finished.notify_one();
    }
  }

  void dismiss() {
    closing = true;
    announce();
  }

  void announce() {
    call.fetch_add(1, std::memory_order_acq_rel);
    call.notify_all();
  }
};

ThreadPool::ThreadPool(int threads) : shared_(std::make_unique<Shared>()) {
  try {
    for (int worker = 1; worker < threads; ++worker)
      shared_->threads.emplace_back([shared = shared_.get(), worker] { shared->serve(worker); });
  } catch (...) {
    shared_->dismiss();
    throw;
  }
}

ThreadPool::~ThreadPool() { shared_->dismiss(); }

int ThreadPool::size() const { return static_cast<int>(shared_->threads.size()) + 1; }

void ThreadPool::for_each_block(std::size_t blocks, const std::function<void(std::size_t, int)>& work) {
  Shared& shared = *shared_;
  shared.blocks = blocks;
  shared.work = &work;
  shared.next = 0;
  shared.failure = nullptr;
  const auto helpers = static_cast<unsigned>(shared.threads.size());
  if (blocks > 1 && helpers > 0) {
    shared.finished = 0;
    shared.announce();
    shared.take_blocks(0);
    for (unsigned done; (done = shared.finished.load(std::memory_order_acquire)) < helpers;)
      wait_for_change(shared.finished, done);
  } else {
    shared.take_blocks(0);
  }
  if (shared.failure) std::rethrow_exception(std::exchange(shared.failure, nullptr));
}

}  // namespace gfdt

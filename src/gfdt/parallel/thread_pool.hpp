#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gfdt {

/// A pool of persistent threads, for work that arrives in many small portions.
class ThreadPool {
 public:
  /// Creates a pool of `threads` workers, including the calling thread.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const;

  /// Calls `work(block, worker)` once for each block in [0, blocks), in no particular order. Calls with the same worker
  /// never overlap. After the first exception no further blocks start, and the exception is rethrown here.
  void for_each_block(std::size_t blocks, const std::function<void(std::size_t block, int worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gfdt

#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gfdt {

/// Threads kept between calls, for work that comes in many small portions.
class ThreadPool {
 public:
  /// `threads` workers, the calling thread among them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const;

  /// Calls `work(block, worker)` once for each block in [0, blocks), in no particular order; no two calls with the same
  /// worker run at once. The first exception stops the handing out of further blocks and is rethrown here.
  void for_each_block(std::size_t blocks, const std::function<void(std::size_t block, int worker)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gfdt

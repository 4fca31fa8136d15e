#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace gfdt {

/// How far a long computation has come.
struct Progress {
  std::string_view stage;
  double fraction = 0;
};

/// Called from one thread at a time.
using ProgressListener = std::function<void(const Progress&)>;

/// Set from anywhere (a signal handler too); long computations look at it between blocks and stop.
class Cancellation {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace gfdt

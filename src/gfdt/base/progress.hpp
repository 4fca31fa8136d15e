#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace gfdt {

/// Progress of a long computation; `fraction` lies in [0, 1].
struct Progress {
  std::string_view stage;
  double fraction = 0;
};

/// Never called concurrently.
using ProgressListener = std::function<void(const Progress&)>;

/// A request to stop. May be set from any thread and from a signal handler; long computations check it between blocks.
class Cancellation {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace gfdt

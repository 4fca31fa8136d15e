#pragma once

#include <chrono>
#include <string>

#include "gfdt/base/progress.hpp"

namespace gfdt::app {

/// Shows progress on standard error: a bar with the remaining time on a terminal, occasional plain lines otherwise.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();

  ProgressListener listener();
  /// Removes the bar from the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);

  bool quiet_, terminal_, drawn_ = false;
  std::string stage_;
  double fraction_ = 0;
  Clock::time_point start_ = Clock::now();  ///< of the current stage
  Clock::time_point last_ = start_;
};

}  // namespace gfdt::app

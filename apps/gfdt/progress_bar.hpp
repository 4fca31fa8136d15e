#pragma once

#include <chrono>
#include <string>

#include "gfdt/base/progress.hpp"

namespace gfdt::app {

/// Shows progress on standard error: a bar with the time left on a terminal, a plain line now and then elsewhere.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();

  ProgressListener listener();
  /// Takes the bar off the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);

  bool quiet_, terminal_, drawn_ = false;
  std::string stage_;
  double fraction_ = 0;
  Clock::time_point start_ = Clock::now();  ///< of this piece of work
  Clock::time_point last_ = start_;
};

}  // namespace gfdt::app

#pragma once

#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::jacobian {

/// How long observables remember.
struct LagMemory {
  double time = 0;       ///< after which every autocorrelation stays below `faint`
  std::string slowest;   ///< whose autocorrelation is the last to get there
  bool resolved = true;  ///< whether the longest lag is long enough to see it
};

/// An autocorrelation is forgotten once it stays below this, or below three of its standard errors. That it comes back
/// after twice that time is believed at a false-alarm rate of `revival_false_alarm` over all lags together.
inline constexpr double faint = 0.05, revival_false_alarm = 1e-3;
LagMemory memory_of(const Correlations& correlations, const std::vector<std::string>& names);

/// The memory that a window is chosen by: `patience` times that of the observables. Where the model remembers
/// `separate` times longer, observables may contain a faint part of its slowest component, whose integral is not small:
/// the memory is then that of the model, `times_to_faint` times its longest autocorrelation time `slowest`.
double memory_for_window(double of_observables, double slowest, double patience);
inline constexpr double times_to_faint = 3, separate = 5;

/// The window from 1.5 to 2 memories: an exponential decay that is down to `faint` after one memory leaves 0.6 % of the
/// integral beyond it. Response kernels <A(t) g(0)> decay as the autocorrelation of A does at last, but are much
/// noisier, so the autocorrelations are what is looked at.
Window window_of(const LagMemory& memory);
inline constexpr double window_start = 1.5, window_end = 2;
/// Lags must reach this many memories, so that there is something beyond the window to look at.
inline constexpr double looked_at = 3;

/// An entry of the Jacobian among the rows of signals.
struct Entry {
  int later = 0, earlier = 0, one = 0;
  std::string name;
};

/// Whether the responses still move between the window and the longest lag: the change of each entry, in its standard
/// errors, at a false-alarm rate of `settling_false_alarm` over all entries together.
struct Settling {
  bool settled = true;
  double most = 0;  ///< the largest change in standard errors
  std::string entry;
};
inline constexpr double settling_false_alarm = 1e-3;
Settling settling(const Correlations& correlations, const std::vector<Entry>& entries, const Window& window);

}  // namespace gfdt::jacobian

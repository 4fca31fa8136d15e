#pragma once

#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::jacobian {

/// Memory of the observables.
struct LagMemory {
  double time = 0;       ///< every autocorrelation stays below `faint` after this time
  std::string slowest;   ///< name of the observable or state with the longest memory
  bool resolved = true;  ///< whether the longest lag is long enough to determine the memory
};

/// An autocorrelation has decayed once it stays below this value or below three of its standard errors. A later
/// revival, after twice that time, is accepted at a false-alarm rate of `revival_false_alarm` over all lags together.
inline constexpr double faint = 0.05, revival_false_alarm = 1e-3;
LagMemory memory_of(const Correlations& correlations, const std::vector<std::string>& names);

/// The memory that determines the window: `patience` times that of the observables. If the autocorrelation time of the
/// model is more than `separate` times longer, observables may contain a small part of its slowest component, whose
/// integral is not small. The memory is then that of the model, `times_to_faint` times its longest autocorrelation time
/// `slowest`.
double memory_for_window(double of_observables, double slowest, double patience);
inline constexpr double times_to_faint = 3, separate = 5;

/// The window from 1.5 to 2 memories. For an exponential decay that reaches `faint` after one memory, 0.6 % of the
/// integral lies beyond it. Response kernels <A(t) g(0)> have the same asymptotic decay as the autocorrelation of A but
/// are much noisier; therefore the window is chosen from the autocorrelations.
Window window_of(const LagMemory& memory);
inline constexpr double window_start = 1.5, window_end = 2;
/// Lags must extend to this many memories, so that the response beyond the window can be examined.
inline constexpr double looked_at = 3;

/// An entry of the Jacobian, with the signal rows that it is computed from.
struct Entry {
  int later = 0, earlier = 0, one = 0;
  std::string name;
};

/// Whether the responses are constant between the window and the longest lag. The change of each entry, in standard
/// errors, is tested at a false-alarm rate of `settling_false_alarm` over all entries together.
struct Settling {
  bool settled = true;
  double most = 0;  ///< the largest change in standard errors
  std::string entry;
};
inline constexpr double settling_false_alarm = 1e-3;
Settling settling(const Correlations& correlations, const std::vector<Entry>& entries, const Window& window);

}  // namespace gfdt::jacobian

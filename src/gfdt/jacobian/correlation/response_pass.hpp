#pragma once

#include <functional>

#include "gfdt/jacobian/correlation/response_sink.hpp"
#include "gfdt/jacobian/correlation/window_choice.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// The correlations of a run, and the window that was chosen for them or asked for.
struct ResponsePass {
  simulate::Summary run;
  std::vector<LagSums> sums;  ///< what the correlations look at
  std::optional<Correlations> correlations;
  LagMemory memory;
  Window window;
  Settling settling;
  int passes = 0;
  double simulated_time = 0;  ///< of all passes
};

struct PassOptions {
  std::optional<Window> window = {};
  double first_lag = 1;    ///< that is tried, where no window is given
  double longest_lag = 1;  ///< that segments are long enough for
  double patience = 1;     ///< times by which a window that is chosen is later than the memory asks for
  double slowest = 0;      ///< the longest autocorrelation time of observables and states
  /// Shows the run to sinks the first time, and maybe to others besides; the source does where it is left out.
  std::function<simulate::Summary(std::span<simulate::Sink* const> sinks)> first_run = {};
};

/// Replays the run and correlates; again with longer lags where the autocorrelations or the responses reach beyond
/// those of the first try.
ResponsePass response_pass(const simulate::Source& source, const Signals& signals, const Segments& segments,
                           const std::vector<std::string>& names, const std::vector<Entry>& entries,
                           const PassOptions& options, const simulate::Control& control);

}  // namespace gfdt::jacobian

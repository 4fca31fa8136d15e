#pragma once

#include <functional>

#include "gfdt/jacobian/correlation/response_sink.hpp"
#include "gfdt/jacobian/correlation/window_choice.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// The correlations of a run, and the window that was chosen or given.
struct ResponsePass {
  simulate::Summary run;
  std::vector<LagSums> sums;  ///< referenced by the correlations
  std::optional<Correlations> correlations;
  LagMemory memory;
  Window window;
  Settling settling;
  int passes = 0;
  double simulated_time = 0;  ///< of all passes
};

struct PassOptions {
  std::optional<Window> window = {};
  double first_lag = 1;    ///< longest lag of the first pass if no window is given
  double longest_lag = 1;  ///< longest lag that the segments can hold
  double patience = 1;     ///< factor by which a chosen window is extended beyond the default
  double slowest = 0;      ///< the longest autocorrelation time of observables and states
  /// Runs the sinks in the first pass, possibly together with others; if empty, the source runs them.
  std::function<simulate::Summary(std::span<simulate::Sink* const> sinks)> first_run = {};
};

/// Replays the run and computes the correlations. Repeats this with longer lags if the autocorrelations or the
/// responses extend beyond the lags of the first pass.
ResponsePass response_pass(const simulate::Source& source, const Signals& signals, const Segments& segments,
                           const std::vector<std::string>& names, const std::vector<Entry>& entries,
                           const PassOptions& options, const simulate::Control& control);

}  // namespace gfdt::jacobian

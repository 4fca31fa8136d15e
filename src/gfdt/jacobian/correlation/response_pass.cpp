#include "gfdt/jacobian/correlation/response_pass.hpp"

#include <algorithm>

namespace gfdt::jacobian {
namespace {

/// Largest number of replays; each increases the longest lag by this factor.
constexpr int most_passes = 3;
constexpr double longer = 3;
/// Factor by which a window that has not settled is moved to longer lags.
constexpr double later_window = 1.25;

void choose(ResponsePass& pass, const std::vector<std::string>& names, const std::vector<Entry>& entries,
            const PassOptions& options) {
  pass.memory = memory_of(*pass.correlations, names);
  const double longest = pass.correlations->bins().longest();
  LagMemory memory = pass.memory;
  const double wanted = memory_for_window(memory.time, options.slowest, options.patience);
  memory.time = std::min(wanted, longest / looked_at);
  pass.window = window_of(memory);
  pass.settling = settling(*pass.correlations, entries, pass.window);
  for (; !pass.settling.settled && later_window * pass.window.end < longest;
       pass.settling = settling(*pass.correlations, entries, pass.window)) {
    memory.time *= later_window;
    pass.window = window_of(memory);
  }
}

}  // namespace

ResponsePass response_pass(const simulate::Source& source, const Signals& signals, const Segments& segments,
                           const std::vector<std::string>& names, const std::vector<Entry>& entries,
                           const PassOptions& options, const simulate::Control& control) {
  ResponsePass pass;
  double lag = options.window ? options.window->end : std::min(options.first_lag, options.longest_lag);
  while (true) {
    const LagBins bins = bins_reaching(lag, source.options().sample_interval());
    ResponseSink sink(signals, bins, segments);
    simulate::Sink* const sinks[] = {&sink};
    pass.run = pass.passes == 0 && options.first_run ? options.first_run(sinks) : source.run(sinks, control);
    ++pass.passes;
    pass.simulated_time += pass.run.simulated_time;
    if (pass.run.status != simulate::Status::done) return pass;
    pass.sums = sink.groups();
    pass.correlations.emplace(signals.shape(), bins, pass.sums);
    if (options.window) {
      pass.memory = memory_of(*pass.correlations, names);
      pass.window = *options.window;
      return pass;
    }
    choose(pass, names, entries, options);
    const bool enough = pass.memory.resolved && pass.settling.settled;
    if (enough || pass.passes == most_passes || lag >= options.longest_lag) return pass;
    lag = std::min(longer * lag, options.longest_lag);
  }
}

}  // namespace gfdt::jacobian

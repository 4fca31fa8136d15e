#include "gfdt/jacobian/correlation/window_choice.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/statistics/distribution.hpp"

namespace gfdt::jacobian {

LagMemory memory_of(const Correlations& correlations, const std::vector<std::string>& names) {
  const LagBins& bins = correlations.bins();
  LagMemory result;
  const double looks = static_cast<double>(names.size() * bins.nodes());
  const double revival =
      statistics::student_t_interval(1 - revival_false_alarm / looks, correlations.degrees_of_freedom());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<Estimate> found = correlations.autocorrelation(static_cast<int>(i) + 1);
    std::size_t last = 0;
    for (std::size_t lag = 0; lag < found.size(); ++lag) {
      const double errors = lag <= 2 * last + 1 ? 3 : std::max(3.0, revival);
      const bool remembers = std::abs(found[lag].value) > std::max(faint, errors * found[lag].standard_error);
      if (remembers) last = lag;
      const double until = static_cast<double>(lag + 1) * bins.width();
      if (!remembers || until <= result.time) continue;
      result.time = until;
      result.slowest = names[i];
    }
  }
  if (result.time == 0) result.time = bins.width();
  result.resolved = looked_at * result.time <= bins.longest();
  return result;
}

double memory_for_window(double of_observables, double slowest, double patience) {
  const double of_model = times_to_faint * slowest;
  return of_model > separate * of_observables ? of_model : patience * of_observables;
}

Window window_of(const LagMemory& memory) { return {window_start * memory.time, window_end * memory.time}; }

Settling settling(const Correlations& correlations, const std::vector<Entry>& entries, const Window& window) {
  const LagBins& bins = correlations.bins();
  Weights beyond = window_weights(bins, {bins.longest() - bins.width(), bins.longest()});
  const Weights within = window_weights(bins, window);
  for (std::size_t i = 0; i < beyond.size(); ++i) beyond[i] -= within[i];
  Settling result;
  for (const Entry& entry : entries) {
    const Estimate change = correlations.integral(entry.later, entry.earlier, entry.one, beyond);
    const double off = std::abs(change.value) / change.standard_error;
    if (!(off > result.most)) continue;
    result.most = off;
    result.entry = entry.name;
  }
  const double each = settling_false_alarm / std::max<double>(1, static_cast<double>(entries.size()));
  result.settled =
      entries.empty() || result.most <= statistics::student_t_interval(1 - each, correlations.degrees_of_freedom());
  return result;
}

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/jacobian/correlation/window_choice.hpp"
#include "gfdt/jacobian/direct_terms.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::jacobian {

// What estimates from correlations over lags have in common, whatever stands for the conjugates.

/// Lags of the first try, in longest autocorrelation times.
inline constexpr double first_lag = 24;
/// A segment is so many times as long as the lags in it, at least.
inline constexpr double lags_per_segment = 4;

/// What is known of a column before anything is computed.
struct ColumnOutlook {
  std::string unavailable;  ///< why it cannot be had; empty where it can
  bool zero = false;        ///< but for direct terms
};

/// Columns with their remarks, and entries that are missing so far.
void prepare(GfdtJacobian& result, std::size_t rows, const std::vector<std::string>& parameters, ColumnMethod method,
             const std::vector<ColumnOutlook>& outlook, const std::vector<DirectTerm>& terms);

/// Statistics of the first `rows` observables, and the diagnostics of the run: direct terms, the observables after
/// them, are none of the user's, and what is wrong with one is said at its entry.
void take_statistics(const statistics::EnsembleStatistics& statistics, std::size_t rows,
                     const simulate::Options& options, Jacobian& jacobian);

/// What is taken off the later rows of signals: means of the first `rows` observables, and of the states.
std::vector<double> references(const statistics::EnsembleStatistics& run, std::size_t rows, std::size_t states);

/// Throws Error for a window that members are too short for.
void check_window(const Options& response, const simulate::Options& options);

/// Segments that hold lags of this length, with room for them to grow where there are enough.
Segments cut(const simulate::Options& options, double lags);

/// The entries of the Jacobian that signals have rows for.
std::vector<Entry> entries_of(const Signals& signals, const symbolic::Model& model,
                              const std::vector<std::string>& parameters);

/// An entry from its correlations, and its step response.
void fill(GfdtJacobian& result, std::size_t entry, const LagCorrelation& kernel, const LagBins& bins,
          const Weights& weights);

/// Columns that are zero but for direct terms, and those terms, averages of the observables after the first `rows`.
void fill_exact_entries(GfdtJacobian& result, const std::vector<ColumnOutlook>& outlook,
                        const std::vector<DirectTerm>& terms, const statistics::EnsembleStatistics& statistics);

}  // namespace gfdt::jacobian

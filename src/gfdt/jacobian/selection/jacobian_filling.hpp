#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/jacobian/correlation/window_choice.hpp"
#include "gfdt/jacobian/direct_terms.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::jacobian {

// Common parts of the estimators that use correlations over lags, independent of the kind of conjugate.

/// Longest lag of the first pass, in longest autocorrelation times.
inline constexpr double first_lag = 24;
/// Smallest ratio of the length of a segment to its longest lag.
inline constexpr double lags_per_segment = 4;

/// Properties of a column that are known before the computation.
struct ColumnOutlook {
  std::string unavailable;  ///< why the column is not available; otherwise empty
  bool zero = false;        ///< zero except for direct terms
};

/// Initialises the columns with their remarks; all entries are NaN.
void prepare(GfdtJacobian& result, std::size_t rows, const std::vector<std::string>& parameters, ColumnMethod method,
             const std::vector<ColumnOutlook>& outlook, const std::vector<DirectTerm>& terms);

/// Copies the statistics of the first `rows` observables and the diagnostics of the run. The observables after them are
/// direct terms, which the user did not define; their problems are reported at the entry concerned.
void take_statistics(const statistics::EnsembleStatistics& statistics, std::size_t rows,
                     const simulate::Options& options, Jacobian& jacobian);

/// Values that are subtracted from the later rows of signals: means of the first `rows` observables and of the states.
std::vector<double> references(const statistics::EnsembleStatistics& run, std::size_t rows, std::size_t states);

/// Throws Error if members are too short for the window.
void check_window(const Options& response, const simulate::Options& options);

/// Segments that can hold lags of this length, and longer ones if the run is long enough.
Segments cut(const simulate::Options& options, double lags);

/// The entries of the Jacobian for which the signals have rows.
std::vector<Entry> entries_of(const Signals& signals, const symbolic::Model& model,
                              const std::vector<std::string>& parameters);

/// Computes an entry from its correlations, and its step response.
void fill(GfdtJacobian& result, std::size_t entry, const LagCorrelation& kernel, const LagBins& bins,
          const Weights& weights);

/// Fills columns that are zero except for direct terms, and these terms: averages of the observables after the first
/// `rows`.
void fill_exact_entries(GfdtJacobian& result, const std::vector<ColumnOutlook>& outlook,
                        const std::vector<DirectTerm>& terms, const statistics::EnsembleStatistics& statistics);

}  // namespace gfdt::jacobian

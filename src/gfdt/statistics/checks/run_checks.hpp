#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/base/diagnostic.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/stationarity.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// Whether the run completed, and how many members blew up.
Diagnostic stability(const simulate::Summary& run, int members);
/// Whether every observable was a finite number at all times.
Diagnostic definedness(const std::vector<Average>& observables);
/// Whether every observable takes more than one value.
Diagnostic variation(const std::vector<Average>& observables);
/// Variations below this share of the mean are attributed to rounding.
inline constexpr double rounding_share = 1e-13;
/// Describes what the averages of a model that depends on time represent.
Diagnostic time_dependence(const symbolic::Model& model, const simulate::Options& options);
/// Whether averages drift.
Diagnostic stationarity_diagnostic(const Stationarity& result);
/// Whether the members are long compared with the autocorrelation times of observables and states.
Diagnostic mixing(const std::vector<Average>& observables, const std::vector<Average>& monitored, double length);
/// Whether the conditions among the observables changed often enough.
Diagnostic events(const std::vector<Average>& observables, const simulate::Options& options);
/// Whether an average is dominated by a few members: [observable][member].
Diagnostic tails(const std::vector<std::string>& names, const std::vector<std::vector<double>>& member_means);
/// Whether the tail indices show that the means of all observables exist and, for averages without a control variate,
/// their variances. Empty if no index was estimated or no tail is heavy.
std::optional<Diagnostic> heavy_tails(const std::vector<Average>& observables);
/// Whether the variances of all observables exist, which determine the errors of derivatives from samples of the
/// observables.
std::optional<Diagnostic> heavy_tails_of_derivatives(const std::vector<Average>& observables);

}  // namespace gfdt::statistics

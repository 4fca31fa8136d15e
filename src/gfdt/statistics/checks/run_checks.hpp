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

/// Whether the run came to its end, and how many members blew up on the way.
Diagnostic stability(const simulate::Summary& run, int members);
/// Whether every observable was a finite number at all times.
Diagnostic definedness(const std::vector<Average>& observables);
/// Whether every observable takes more than one value.
Diagnostic variation(const std::vector<Average>& observables);
/// What varies by less than this share of its mean does so by rounding.
inline constexpr double rounding_share = 1e-13;
/// What the averages of a model that depends on time are over.
Diagnostic time_dependence(const symbolic::Model& model, const simulate::Options& options);
/// Whether averages drift.
Diagnostic stationarity_diagnostic(const Stationarity& result);
/// Whether the members are long against the autocorrelation times of observables and states.
Diagnostic mixing(const std::vector<Average>& observables, const std::vector<Average>& monitored, double length);
/// Whether conditions among the observables became true, or false, often enough.
Diagnostic events(const std::vector<Average>& observables, const simulate::Options& options);
/// Whether a few members decide an average: [observable][member].
Diagnostic tails(const std::vector<std::string>& names, const std::vector<std::vector<double>>& member_means);
/// Whether the means of all observables exist and, where an average is plain, their variances; by their tail indices.
/// Nothing where none was estimated, or none is heavy.
std::optional<Diagnostic> heavy_tails(const std::vector<Average>& observables);
/// Whether the variances of all observables exist, on which the errors of derivatives from their own samples depend.
std::optional<Diagnostic> heavy_tails_of_derivatives(const std::vector<Average>& observables);

}  // namespace gfdt::statistics

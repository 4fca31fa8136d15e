#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/stationarity.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// One named check of a run, with its verdict and what to do about it.
struct Finding {
  std::string check;
  bool passed = true;
  std::string verdict = {};
  std::string advice = {};  ///< empty when passed
  bool fatal = false;       ///< whether the numbers cannot be used where it did not pass
  bool judged = true;       ///< false: it could not be told; nothing speaks against it
  bool local = false;       ///< whether it concerns the observables that it names only: others can be used
};

/// Whether no finding says that all numbers cannot be used.
bool usable(std::span<const Finding> findings);
/// Whether no finding says that any number cannot be used.
bool complete(std::span<const Finding> findings);
/// Puts a finding in the place of that of the same check; at the end where there is none.
void replace(std::vector<Finding>& findings, Finding finding);

/// Whether the run came to its end, and how many members blew up on the way.
Finding stability(const simulate::Summary& run, int members);
/// Whether every observable was a finite number at all times.
Finding definedness(const std::vector<Average>& observables);
/// Whether every observable takes more than one value.
Finding variation(const std::vector<Average>& observables);
/// What varies by less than this share of its mean does so by rounding.
inline constexpr double rounding_share = 1e-13;
/// What the averages of a model that depends on time are over.
Finding time_dependence(const symbolic::Model& model, const simulate::Options& options);
/// Whether averages drift.
Finding stationarity_finding(const Stationarity& result);
/// Whether the members are long against the autocorrelation times of observables and states.
Finding mixing(const std::vector<Average>& observables, const std::vector<Average>& watched, double length);
/// Whether conditions among the observables became true, or false, often enough.
Finding events(const std::vector<Average>& observables, const simulate::Options& options);
/// Whether a few members decide an average: [observable][member].
Finding tails(const std::vector<std::string>& names, const std::vector<std::vector<double>>& member_means);
/// Whether the means of all observables exist and, where an average is plain, their variances; by their tail indices.
/// Nothing where none was estimated, or none is heavy.
std::optional<Finding> heavy_tails(const std::vector<Average>& observables);
/// Whether the variances of all observables exist, on which the errors of derivatives from their own samples depend.
std::optional<Finding> heavy_tails_of_derivatives(const std::vector<Average>& observables);

}  // namespace gfdt::statistics

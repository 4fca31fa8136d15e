#pragma once

#include <span>
#include <vector>

#include "gfdt/simulate/source.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// A condition that became true, or false, in fewer independent events than this is rare.
inline constexpr double fewest_events = 20;

/// Judges whether the members have mixed in each observable, and widens standard errors accordingly. T is the length of
/// a member and τ the longest autocorrelation time of a quantity.
///
/// - T ≥ 20 τ: mixed.
/// - 5 τ ≤ T < 20 τ, or T < 5 τ after a burn-in of at least 5 τ: slow. The standard error includes the bias of a start
///   one standard deviation σ off, σ (τ/T) exp(−burn-in/τ).
/// - else: not mixed. The members' means differ as much as A itself varies, and nothing shows that they represent the
///   stationary distribution: the standard error is their spread, as if there were one member.
///
/// An observable with a shorter τ is not mixed either where a state or another observable is not, and its own members
/// disagree: it depends on the slow component.
void judge_mixing(std::vector<Average>& observables, std::vector<Average>& monitored, const simulate::Source& source);

/// Widens the standard errors of observables that are rare conditions, or that never varied.
///
/// A condition that held with probability p < ½ in K events of duration d has p = K d/T and the standard error
/// √(2K) d/T, hence K = 2 (p/standard error)². Its square gets a share 2/K larger, that of two events. A condition that
/// was never seen to change has the standard error 2 τ/T with the longest autocorrelation time τ of the states and the
/// time T of all members; one that is no condition has none.
void judge_events(const symbolic::Model& model, std::vector<Average>& observables,
                  const std::vector<Average>& monitored, const simulate::Options& options);

/// Whether a formula takes no values but 0 and 1.
bool is_condition(const symbolic::Expression& formula);

/// The longest autocorrelation time; 0 where none is known.
double longest_time(std::span<const Average> averages);

}  // namespace gfdt::statistics

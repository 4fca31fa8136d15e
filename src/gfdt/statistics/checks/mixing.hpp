#pragma once

#include <span>
#include <vector>

#include "gfdt/simulate/source.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// A condition is rare if it became true, or false, in fewer independent events than this.
inline constexpr double fewest_events = 20;

/// Judges whether the members have mixed in each observable, and widens standard errors accordingly. T is the length of
/// a member and τ the longest autocorrelation time of a quantity.
///
/// - T ≥ 20 τ: mixed.
/// - 5 τ ≤ T < 20 τ, or T < 5 τ after a burn-in of at least 5 τ: slow. The standard error includes the bias σ (τ/T)
///   exp(−burn-in/τ) of an initial deviation of one standard deviation σ.
/// - otherwise: not mixed. The members' means differ as much as A itself varies, and there is no evidence that they
///   represent the stationary distribution. The standard error is their spread, as for a single member.
///
/// An observable with a shorter τ is also not mixed if a state or another observable is not mixed and its own members
/// disagree, since it then depends on the slow component.
void judge_mixing(std::vector<Average>& observables, std::vector<Average>& monitored, const simulate::Source& source);

/// Widens the standard errors of observables that are rare conditions or were constant.
///
/// A condition that held with probability p < ½ in K events of duration d has p = K d/T and the standard error √(2K)
/// d/T, hence K = 2 (p/standard error)². The squared standard error is increased by a share of 2/K, which corresponds
/// to two events. A condition that never changed has the standard error 2 τ/T, with the longest autocorrelation time τ
/// of the states and the total time T of all members. A constant observable that is not a condition has no standard
/// error.
void judge_events(const symbolic::Model& model, std::vector<Average>& observables,
                  const std::vector<Average>& monitored, const simulate::Options& options);

/// Whether a formula takes only the values 0 and 1.
bool is_condition(const symbolic::Expression& formula);

/// The longest autocorrelation time; 0 where none is known.
double longest_time(std::span<const Average> averages);

}  // namespace gfdt::statistics

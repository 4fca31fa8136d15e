#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gfdt/jacobian/finite_difference/difference_runs.hpp"

namespace gfdt::jacobian {

/// The step of a central difference, from a pilot at a ladder of steps h, h/2, h/4, …
///
/// All squares are sums over observables, in units of their standard deviations.
/// - Variance at the full length: that of the pilot, times the pilot's share of the full length. Nothing is assumed of
///   how it depends on h: with common random numbers it stays as h falls where the dynamics contract, grows like 1/h
///   for indicators and like 1/h² where they are chaotic. To this comes the variance of one event that the pilot
///   missed, (e/h)²: where members switch between regions, two runs with the same random numbers differ in few
///   switches, and hardly ever at small steps.
/// - Bias: it is c h² + …, hence 4/3 (S(h) − S(h/2)). The units of both are paired, so that this difference has its own
///   error e. Where it is above 3 e, in all observables together or in single ones, it counts as it is, less e².
///   Besides, every larger step h′ bounds the bias at h by (h/h′)² times its own, error included; the lowest of these
///   bounds counts where it is more. Larger steps say little where the response saturates. Where quotients grow by 30 %
///   from h′ to h′/2, the bound of h′ does not fall with the step. Where averages move by much of their standard
///   deviation σ, S(h) may turn between steps: a bound from larger steps is no lower than the bias of a logistic
///   response, about ½ S (h S/σ)², nor higher than what is measured at h and h/2, error included.
/// - The bias of each observable at the step that is taken, for its error bar: the higher of the bounds of the next two
///   larger steps, since that of a single observable may vanish at one of them, and of a logistic response; or what is
///   measured at h and h/2 where that is lower, or where it is more and above 3 e.
/// - Taken is the step with the smallest variance + 4 bias². The factor keeps the bias at about a third of the standard
///   error where both matter, so that error bars hold what they should. Of steps that differ by 5 % the largest is
///   taken.
struct StepChoice {
  enum class Request {
    none,
    larger,   ///< no bias is visible at the largest step, and the noise still falls
    smaller,  ///< the smallest step is the best so far, or the response saturates down to it
  };
  struct Rung {
    double variance = 0;  ///< at the full length
    double bias = 0;      ///< squared
    double cost() const;
  };
  std::size_t chosen = 0;
  Request request = Request::none;
  std::vector<Rung> rungs;
  std::vector<double> bias;  ///< of each observable at the chosen step, a bound of its size
};

/// What is known of the observables before steps are tried.
struct StepScales {
  std::vector<double> deviation;     ///< of the observables; those with 0 do not count
  std::vector<double> missed_event;  ///< e: what one event adds to a difference quotient at full length, times h
  double share = 1;                  ///< of the full length in the pilot
};

/// The bias of each observable, error included, by the difference to the quotients at half the step.
std::vector<double> measured_bias(const Quotients& quotients, const Quotients& at_half_the_step);

/// `ladder` from the largest step down, each half of the one before, two at least.
StepChoice choose_step(const std::vector<Quotients>& ladder, const StepScales& scales);

/// A short pair of runs at a step.
using Pilot = std::function<DifferenceRuns::Result(double step)>;

struct StepSearch {
  simulate::Status status = simulate::Status::done;  ///< unstable: no step was found at which runs hold
  std::string explanation = {};
  double step = 0;
  std::vector<double> bias = {};  ///< of each observable at this step, a bound of its size
};

/// Climbs and descends the ladder until the choice requests nothing, or 12 steps were tried. Begins at `start`, or as
/// far below it as runs hold, and never exceeds `largest`.
StepSearch search_step(const Pilot& pilot, double start, double largest, const StepScales& scales);

}  // namespace gfdt::jacobian

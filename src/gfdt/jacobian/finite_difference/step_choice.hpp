#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gfdt/jacobian/finite_difference/difference_runs.hpp"

namespace gfdt::jacobian {

/// The step of a central difference, from a pilot at a ladder of steps h, h/2, h/4, …
///
/// All squares are summed over observables, in units of their standard deviations.
/// - Variance at full length: that of the pilot times the ratio of the pilot's length to the full length. No scaling
///   with h is assumed. With common random numbers the variance is independent of h for contracting dynamics, and grows
///   as 1/h for indicators and as 1/h² for chaotic dynamics. The variance (e/h)² of one event that the pilot missed is
///   added: if members switch between regions, two runs with the same random numbers differ in few switches, and in
///   hardly any at small steps.
/// - Bias: c h² + …, hence 4/3 (S(h) − S(h/2)). The units of both quotients are paired, so that the difference has its
///   own standard error e. If the difference exceeds 3 e, for all observables together or for single ones, its square
///   minus e² is used. In addition, every larger step h′ bounds the bias at h by (h/h′)² times its own bias, error
///   included; the lowest of these bounds is used if it is larger. Larger steps give little information if the response
///   saturates. If quotients grow by 30 % from h′ to h′/2, the bound of h′ is not reduced with the step. If averages
///   move by a large part of their standard deviation σ, S(h) may have an extremum between steps: a bound from larger
///   steps is then at least the bias of a logistic response, about ½ S (h S/σ)², and at most the value measured at h
///   and h/2, error included.
/// - Bias of each observable at the chosen step, for its error bar: the higher of the bounds from the next two larger
///   steps, since the bias of a single observable may vanish at one of them, and from a logistic response. The value
///   measured at h and h/2 is used instead if it is lower, or if it is higher and above 3 e.
/// - The chosen step minimises variance + 4 bias². The factor keeps the bias at about a third of the standard error if
///   both matter, so that error bars keep their coverage. Among steps whose costs differ by less than 5 % the largest
///   is chosen.
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
  std::vector<double> bias;  ///< upper bound of the bias of each observable at the chosen step
};

/// Scales of the observables that are known before the search.
struct StepScales {
  std::vector<double> deviation;     ///< standard deviations of the observables; those with 0 are ignored
  std::vector<double> missed_event;  ///< e: contribution of one event to a difference quotient at full length, times h
  double share = 1;                  ///< length of the pilot relative to the full length
};

/// Bounds of the bias of each observable, error included, from the difference to the quotients at half the step.
std::vector<double> measured_bias(const Quotients& quotients, const Quotients& at_half_the_step);

/// `ladder` starts with the largest step; each step is half of the previous one. It has at least two steps.
StepChoice choose_step(const std::vector<Quotients>& ladder, const StepScales& scales);

/// Runs a short pair of simulations at a step.
using Pilot = std::function<DifferenceRuns::Result(double step)>;

struct StepSearch {
  simulate::Status status = simulate::Status::done;  ///< unstable: runs blow up at every step that was tried
  std::string explanation = {};
  double step = 0;
  std::vector<double> bias = {};  ///< upper bound of the bias of each observable at this step
};

/// Extends the ladder to larger and smaller steps until the choice has no further request, or 12 steps have been tried.
/// Starts at `start`, or at a smaller step if runs blow up there, and never exceeds `largest`.
StepSearch search_step(const Pilot& pilot, double start, double largest, const StepScales& scales);

}  // namespace gfdt::jacobian

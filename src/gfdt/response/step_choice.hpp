#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gfdt/response/difference_runs.hpp"

namespace gfdt::response {

/// The step of a central difference, from a pilot at a ladder of steps h, h/2, h/4, …
///
/// All squares are sums over observables, in units of their standard deviations.
/// - Variance at the full length: that of the pilot, times the pilot's share of the full length. Nothing is assumed of
///   how it depends on h: with common random numbers it stays as h falls where the dynamics contract, grows like 1/h
///   for indicators and like 1/h² where they are chaotic.
/// - Bias: it is c h² + …, hence 4/3 (S(h) − S(h/2)). The units of both are paired, so that this difference has its own
///   error e. Where it is above 3 e it counts as it is, less e². Besides, every larger step h′ bounds the bias at h by
///   (h/h′)² times its own, error included; the lowest of these bounds counts where it is more.
/// - The bias of each observable at the step that is taken, for its error bar: the higher of the bounds of the next two
///   larger steps, since that of a single observable may vanish at one of them.
/// - Taken is the step with the smallest variance + 4 bias². The factor keeps the bias at about a third of the standard
///   error where both matter, so that error bars hold what they should. Of steps that differ by 5 % the largest is
///   taken.
struct StepChoice {
  enum class Wish {
    none,
    larger,   ///< no bias is visible at the largest step, and the noise still falls
    smaller,  ///< the smallest step is the best so far
  };
  struct Rung {
    double variance = 0;  ///< at the full length
    double bias = 0;      ///< squared
    double cost() const;
  };
  std::size_t chosen = 0;
  Wish wish = Wish::none;
  std::vector<Rung> rungs;
  std::vector<double> bias;  ///< of each observable at the chosen step, a bound of its size
};

/// `ladder` from the largest step down, each half of the one before, two at least; `scale`: standard deviations of the
/// observables, those with 0 do not count; `share`: of the full length in the pilot.
StepChoice choose_step(const std::vector<Quotients>& ladder, const std::vector<double>& scale, double share);

/// A short pair of runs at a step.
using Pilot = std::function<DifferenceRuns::Result(double step)>;

struct StepSearch {
  simulate::Status status = simulate::Status::done;  ///< unstable: no step was found at which runs hold
  std::string explanation = {};
  double step = 0;
  std::vector<double> bias = {};  ///< of each observable at this step, a bound of its size
};

/// Climbs and descends the ladder until the choice wishes for nothing, or 12 steps were tried. Begins at `start`, or as
/// far below it as runs hold, and never exceeds `largest`.
StepSearch search_step(const Pilot& pilot, double start, double largest, const std::vector<double>& scale,
                       double share);

}  // namespace gfdt::response

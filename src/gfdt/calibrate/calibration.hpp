#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"
#include "gfdt/calibrate/posterior/posterior.hpp"
#include "gfdt/calibrate/targets/goodness_of_fit.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"
#include "gfdt/calibrate/targets/targets.hpp"

namespace gfdt::calibrate {

/// What is to be solved.
struct Problem {
  std::vector<FreeParameter> parameters;
  Targets targets;
  double length = 0;       ///< of the longest runs, of each member
  std::uint64_t seed = 0;  ///< those of all runs are made from this one

  /// What is wrong with it, as a sentence; empty when nothing is.
  std::string problem() const;
};

/// How a calibration ended.
enum class Status {
  running,           ///< it has not
  within_noise,      ///< at the minimum, and noise explains the mismatch there
  simulation_noise,  ///< the same, as far as the noise of the simulation shows: another seed moves the answer
  tolerance,         ///< the norm of the mismatch is below the tolerance
  unreachable,  ///< at the minimum, and noise does not explain the mismatch: no parameters near have these statistics
  small_steps,  ///< steps no longer help: the trust region, a bound or noise stops them
  noisy_jacobian,  ///< the errors of the Jacobian hide what the targets determine
  iterations,      ///< as many as were allowed
  simulated_time,  ///< the budget is spent
  unstable,        ///< no step was found at which the dynamics hold
  failed,          ///< the model could not be evaluated
  interrupted,     ///< from outside
};

const char* name(Status status);
/// Whether the search ended at the minimum, with the mismatch within its noise, or within the tolerance.
bool converged(Status status);
/// Whether the parameters are an answer whose standard errors hold: converged, or limited by the noise of the
/// simulation.
bool has_answer(Status status);

/// One evaluation of the loop and what came of it.
struct Iteration {
  std::vector<double> parameters;  ///< natural scale
  Evaluation evaluation;           ///< without scores
  Mismatch mismatch;
  double length = 0;
  double spent = 0;    ///< simulated time so far, this evaluation included
  double damping = 0;  ///< μ of the step that was taken from here
  double trust_radius = 0;
  double condition = 0;           ///< of the scaled Jacobian
  std::vector<double> step;       ///< natural scale; empty where none was taken from here
  std::vector<double> predicted;  ///< change of the statistics by the step, to first order
  int halvings = 0;
  bool accepted = true;              ///< false: the mismatch grew, and the search went back
  std::vector<std::string> remarks;  ///< a sentence each
};

struct Calibration {
  Status status = Status::failed;
  std::string explanation;  ///< in a sentence or two
  std::vector<Iteration> iterations;
  std::vector<double> parameters;               ///< the answer; of the free ones, natural scale
  Posterior posterior;                          ///< at the answer; empty where there was no Jacobian
  Curvature curvature;                          ///< measured at an answer within noise
  Mismatch mismatch;                            ///< at the answer
  GoodnessOfFit fit;                            ///< there
  std::vector<statistics::Average> statistics;  ///< there
  std::shared_ptr<const Insight> insight;       ///< behind the Jacobian of the posterior; may be null
  double simulated_time = 0;
  double wall_seconds = 0;  ///< of the evaluations
};

/// Called after each iteration, with all so far: the status is `running`, and the answer is where the search stands.
using Observer = std::function<void(const Calibration& so_far)>;

/// Gauss–Newton or Levenberg–Marquardt from the guess to parameters that have the targets' statistics. Throws Error for
/// a problem or options that make no sense.
Calibration calibrate(const Problem& problem, const Options& options, Evaluator& evaluator,
                      const simulate::Control& control = {}, const Observer& observer = {});

}  // namespace gfdt::calibrate

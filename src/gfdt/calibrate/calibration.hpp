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

/// A calibration problem: the free parameters, the targets, and the length and seed of the runs.
struct Problem {
  std::vector<FreeParameter> parameters;
  Targets targets;
  double length = 0;       ///< of the longest runs, per member, in time units of the model
  std::uint64_t seed = 0;  ///< the seeds of all runs are derived from it

  /// A sentence that describes the first error in the problem; empty if there is none.
  std::string problem() const;
};

/// How a calibration ended.
enum class Status {
  running,           ///< the calibration has not ended
  within_noise,      ///< at the minimum; noise explains the mismatch there
  simulation_noise,  ///< as within_noise, but simulation noise limits the answer: another seed would move it
  tolerance,         ///< the norm of the mismatch is below the tolerance
  unreachable,  ///< at the minimum; noise does not explain the mismatch, so no parameters nearby reproduce the targets
  small_steps,  ///< steps no longer lower the mismatch because of the trust region, a bound or noise
  noisy_jacobian,  ///< errors of the Jacobian hide whether the targets determine some combination of parameters
  iterations,      ///< the maximum number of iterations was reached
  simulated_time,  ///< the budget of simulated time was reached
  unstable,        ///< no step was found at which the dynamics are stable
  failed,          ///< the model could not be evaluated
  interrupted,     ///< cancelled by the caller
};

const char* name(Status status);
/// Whether the search ended at a minimum whose mismatch noise explains, or below the tolerance.
bool converged(Status status);
/// Whether the parameters are an answer with valid standard errors: converged, or limited by simulation noise.
bool has_answer(Status status);

/// One evaluation of the search and its outcome.
struct Iteration {
  std::vector<double> parameters;  ///< natural scale
  Evaluation evaluation;           ///< the fitted scores are not kept
  Mismatch mismatch;
  double length = 0;
  double spent = 0;    ///< simulated time so far, including this evaluation
  double damping = 0;  ///< μ of the step taken from here
  double trust_radius = 0;
  double condition = 0;           ///< condition number of the scaled Jacobian
  std::vector<double> step;       ///< natural scale; empty if no step was taken from here
  std::vector<double> predicted;  ///< predicted change of the statistics by the step, to first order
  int halvings = 0;
  bool accepted = true;              ///< false: the mismatch grew and the step was rejected
  std::vector<std::string> remarks;  ///< one sentence each
};

struct Calibration {
  Status status = Status::failed;
  std::string explanation;  ///< one or two sentences
  std::vector<Iteration> iterations;
  std::vector<double> parameters;               ///< the answer: values of the free parameters, natural scale
  Posterior posterior;                          ///< at the answer; empty if there was no Jacobian
  Curvature curvature;                          ///< measured at an answer within noise
  Mismatch mismatch;                            ///< at the answer
  GoodnessOfFit fit;                            ///< at the answer
  std::vector<statistics::Average> statistics;  ///< at the answer
  std::shared_ptr<const Insight> insight;       ///< details of the Jacobian behind the posterior; may be null
  double simulated_time = 0;
  double wall_seconds = 0;  ///< total over the evaluations
};

/// Called after each iteration with the result so far: the status is `running`, and the answer is the current iterate.
using Observer = std::function<void(const Calibration& so_far)>;

/// Runs the selected algorithm from the guess to parameters whose statistics match the targets. Throws Error if the
/// problem or the options are invalid.
Calibration calibrate(const Problem& problem, const Options& options, Evaluator& evaluator,
                      const simulate::Control& control = {}, const Observer& observer = {});

}  // namespace gfdt::calibrate

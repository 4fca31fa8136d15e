#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/jacobian/correlation/score_fits.hpp"
#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// Relative errors of columns that are small enough when no accuracy is requested.
struct AccuracyThresholds {
  double of_leading_terms = 0.02;  ///< columns with a smaller error are not tried with other methods
  double of_one_run = 0.05;        ///< columns with a smaller error are not tried with runs at other parameters
};

/// Inputs of a Jacobian estimate.
struct GfdtProblem {
  const symbolic::Model& model;
  const simulate::Source& source;
  std::vector<std::string> parameters;  ///< the columns
  score::Options score = {};
  Options response = {};
  std::optional<ScoreFits> given = {};  ///< a given score, used instead of a fit
  /// Earlier scores, for example at other parameters, from which training starts: one, or the two of a cross-fit. May
  /// be empty.
  std::vector<std::shared_ptr<const score::Field>> start = {};
  statistics::ObservedFunctions functions = {};  ///< replace the formulas of the observables that they name
  double certificate_effort = 1;  ///< number of states and chains in certificates, relative to the default
  AccuracyThresholds thresholds = {};
  Wanted wanted = {};  ///< called before a score is fitted; may be empty

  /// The same problem for another model and its samples.
  GfdtProblem of(const symbolic::Model& other, const simulate::Source& samples) const {
    return {other, samples,   parameters,         score,      response, given,
            start, functions, certificate_effort, thresholds, wanted};
  }
};

/// Responses of the observables to a step of each parameter, as functions of the time after it.
struct StepResponses {
  std::vector<double> time;
  std::vector<std::vector<Estimate>> of_entry;  ///< [entry of the Jacobian][time]; empty where there is none
  /// The derivatives of these with respect to time, the response kernels, averaged about each time.
  std::vector<std::vector<Estimate>> kernel_of_entry = {};
};

struct GfdtJacobian {
  Jacobian jacobian;
  ScoreFits score;
  StepResponses steps;
  std::vector<Estimate> direct;  ///< <∂A/∂θ> of each entry; zero where the parameter is not in the observable
  Segments segments;             ///< of the run
  Signals::Strides strides;      ///< sampling strides of the score evaluations
  std::shared_ptr<const Basis> basis;                              ///< basis for the correction of conjugates; null
                                                                   ///< without correction
  std::shared_ptr<const control_variate::ControlVariate> control;  ///< control variate of the statistics; null without
  int passes = 0;                                                  ///< replays of the run after the pass for the
                                                                   ///< statistics
  double response_seconds = 0;                                     ///< wall time of the last replay
};

/// The Jacobian of the statistics from one unperturbed run. The first pass gives statistics and samples for the score;
/// a replay gives the correlation integrals. Standard errors come from independent members and include the error of the
/// score fit, estimated from the two scores of a cross-fit. They do not include a bias that is common to all scores of
/// the same kind; the certificate tests for it. Throws Error for an invalid problem.
GfdtJacobian gfdt_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/jacobian/correlation/score_fits.hpp"
#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// Errors of columns, of their own size, that are small enough where no accuracy is asked for.
struct AccuracyThresholds {
  double of_leading_terms = 0.02;  ///< no other method is tried for columns with a smaller one
  double of_one_run = 0.05;        ///< no runs at other parameters are made for them
};

/// What a Jacobian is made from.
struct GfdtProblem {
  const symbolic::Model& model;
  const simulate::Source& source;
  std::vector<std::string> parameters;  ///< the columns
  score::Options score = {};
  Options response = {};
  std::optional<ScoreFits> given = {};  ///< a score from elsewhere, instead of a fit
  /// Earlier scores, of other parameters say, where training begins: one, or the two of a cross-fit. May be empty.
  std::vector<std::shared_ptr<const score::Field>> start = {};
  statistics::ObservedFunctions functions = {};  ///< that give the observables they name
  double certificate_effort = 1;  ///< states and chains that certificates look at, as a share of the usual
  AccuracyThresholds thresholds = {};
  Wanted wanted = {};  ///< asked where a score is to be fitted; may be empty

  /// The same question, put to another model and its samples.
  GfdtProblem of(const symbolic::Model& other, const simulate::Source& samples) const {
    return {other, samples,   parameters,         score,      response, given,
            start, functions, certificate_effort, thresholds, wanted};
  }
};

/// Responses of the observables to a step of each parameter, as functions of the time after it.
struct StepResponses {
  std::vector<double> time;
  std::vector<std::vector<Estimate>> of_entry;  ///< [entry of the Jacobian][time]; empty where there is none
  /// Likewise their slopes, the response kernels, averaged about each time.
  std::vector<std::vector<Estimate>> kernel_of_entry = {};
};

struct GfdtJacobian {
  Jacobian jacobian;
  ScoreFits score;
  StepResponses steps;
  std::vector<Estimate> direct;  ///< <∂A/∂θ> of each entry; zero where the parameter is not in the observable
  Segments segments;             ///< of the run
  Signals::Strides strides;      ///< at which scores were evaluated
  std::shared_ptr<const Basis> basis;                              ///< that conjugates were corrected by; null without
  std::shared_ptr<const control_variate::ControlVariate> control;  ///< of the statistics; null without
  int passes = 0;                                                  ///< over the run, after the one for statistics
  double response_seconds = 0;                                     ///< of the last of them
};

/// The Jacobian of the statistics from one unperturbed run: statistics and samples for the score in one pass, the
/// correlation integrals in a replay of it. Standard errors are those of independent members, with what the fit of the
/// score adds (the two scores of a cross-fit tell). The bias that all scores of a kind share is not in them: the
/// certificate is there for it. Throws Error for a problem that makes no sense.
GfdtJacobian gfdt_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

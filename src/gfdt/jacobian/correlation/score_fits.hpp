#pragma once

#include <optional>
#include <vector>

#include "gfdt/jacobian/correlation/segments.hpp"
#include "gfdt/jacobian/correlation/signals.hpp"
#include "gfdt/score/certificate/certificate.hpp"
#include "gfdt/score/selection/fit_score.hpp"
#include "gfdt/score/selection/sample_collector.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::jacobian {

/// The score behind a Jacobian and where it comes from.
struct ScoreFits {
  Scores scores;
  std::optional<score::Origin> origin;           ///< empty if there is no score
  std::vector<score::ScoreFit> fits;             ///< none for a score that was given
  std::vector<score::Certificate> certificates;  ///< one a fit, on states it has not seen; may be empty
  std::optional<Diagnostic> kept;                ///< what the certificate said that a given score came with
  std::string caution;                           ///< what the error bars do not know of; empty when there is nothing
  std::string problem;                           ///< why there is no score; empty when there is
  double wall_seconds = 0;
};

/// What is known of the run that samples come from.
struct SampledRun {
  Segments segments;
  double length = 0;  ///< of a member
  double memory = 0;  ///< longest autocorrelation time
};

/// What is wanted of the fits.
struct ScoreFitOptions {
  score::Options options;
  bool cross_fit = true;
  std::vector<std::shared_ptr<const score::Field>> start = {};
  double certificate_effort = 1;
};

/// Fits the score that the options ask for: twice, on the halves of the segments in turn, where it is learned and
/// `cross_fit`; each fit is certified on the half it has not seen. Training of the n-th begins at the n-th of `start`,
/// or at the last where there are fewer.
ScoreFits fit_scores(const symbolic::Model& model, const score::SampleCollector& collector, const SampledRun& run,
                     const ScoreFitOptions& request, const simulate::Control& control);

}  // namespace gfdt::jacobian

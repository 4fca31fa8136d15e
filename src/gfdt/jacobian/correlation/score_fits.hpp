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
  std::vector<score::ScoreFit> fits;             ///< empty for a given score
  std::vector<score::Certificate> certificates;  ///< one per fit, on held-out states; may be empty
  std::optional<Diagnostic> kept;                ///< diagnostic stored with a given score
  std::string caution;                           ///< errors that the error bars do not include; may be empty
  std::string problem;                           ///< reason why there is no score; empty if there is one
  double wall_seconds = 0;
};

/// The run that provides the samples.
struct SampledRun {
  Segments segments;
  double length = 0;  ///< length of a member
  double memory = 0;  ///< longest autocorrelation time
};

/// Options of the fits.
struct ScoreFitOptions {
  score::Options options;
  bool cross_fit = true;
  std::vector<std::shared_ptr<const score::Field>> start = {};
  double certificate_effort = 1;
};

/// Fits the score with the given options. With `cross_fit`, a learned score is fitted twice, once on each half of the
/// segments, and each fit is certified on the other half. Training of fit n starts from element n of `start`, or from
/// the last element if there are fewer.
ScoreFits fit_scores(const symbolic::Model& model, const score::SampleCollector& collector, const SampledRun& run,
                     const ScoreFitOptions& request, const simulate::Control& control);

}  // namespace gfdt::jacobian

#pragma once

#include <memory>
#include <optional>

#include "gfdt/base/progress.hpp"
#include "gfdt/score/estimators/fit.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/selection/choose.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// A score of a model, and a record of how it was obtained.
struct ScoreFit {
  std::shared_ptr<const Field> field;
  Choice choice;
  std::vector<std::string> details;  ///< of the fit, one sentence each
  std::optional<network::Training> training;
  double correction = 0;  ///< distance of the linear correction; 0 without a correction
  double wall_seconds = 0;

  /// Whether the fit succeeded; otherwise `problem` states the reason.
  bool usable() const { return problem.empty(); }
  std::string problem;
};

/// Estimates the score from samples of the model's stationary distribution; the exact method ignores the samples. If
/// `start` is an earlier fit with a network of the same shape, training starts from that network. Throws Error for
/// invalid options and for samples that do not permit a fit.
ScoreFit fit_score(const symbolic::Model& model, const Samples& samples, const Options& options,
                   const Field* start = nullptr, const ProgressListener& progress = {},
                   const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

#pragma once

#include <memory>
#include <optional>

#include "gfdt/base/progress.hpp"
#include "gfdt/score/estimators/fit.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/selection/choose.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// A score of a model and how it was come by.
struct ScoreFit {
  std::shared_ptr<const Field> field;
  Choice choice;
  std::vector<std::string> details;  ///< of the fit, a sentence each
  std::optional<network::Training> training;
  double correction = 0;  ///< distance of the linear correction; 0 where there is none
  double wall_seconds = 0;

  /// Whether the fit came to its end; else why not.
  bool usable() const { return problem.empty(); }
  std::string problem;
};

/// Estimates the score from samples of the model's invariant density, those of the exact method not being looked at. A
/// network of `start`, an earlier fit of the same shape, is where training begins. Throws Error for options that make
/// no sense and samples that allow no fit.
ScoreFit fit_score(const symbolic::Model& model, const Samples& samples, const Options& options,
                   const Field* start = nullptr, const ProgressListener& progress = {},
                   const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

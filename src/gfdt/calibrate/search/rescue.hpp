#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// What follows a search that is stuck where its Jacobians are useless: ensemble Kalman inversion, which needs none,
/// from the best parameters so far, and a second search from the mean of its ensemble. Each has the allowed number of
/// iterations and what is left of the budget.
class Rescue {
 public:
  Rescue(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
         const Observer& observer)
      : problem_(problem), options_(options), evaluator_(evaluator), control_(control), observer_(observer) {}

  /// The best of all answers, with the iterations of all parts.
  Calibration run(Calibration stuck);

 private:
  /// Options with what is left of the budget; nothing where that is less than a run takes.
  std::optional<Options> remaining(const Calibration& so_far) const;
  /// Shows a later part together with those before it.
  Observer following(const Calibration& before) const;

  const Problem& problem_;
  const Options& options_;
  Evaluator& evaluator_;
  const simulate::Control& control_;
  const Observer& observer_;
};

}  // namespace gfdt::calibrate

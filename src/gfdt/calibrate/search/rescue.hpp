#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// Continues a search that is stuck because its Jacobians are too noisy: ensemble Kalman inversion, which needs no
/// Jacobian, starts at the best parameters so far, and a second search starts at the mean of its ensemble. Each has the
/// full number of iterations and the remaining budget.
class Rescue {
 public:
  Rescue(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
         const Observer& observer)
      : problem_(problem), options_(options), evaluator_(evaluator), control_(control), observer_(observer) {}

  /// The best of all answers, with the iterations of all parts.
  Calibration run(Calibration stuck);

 private:
  /// The options with the remaining budget; nothing if that is less than the cost of one run.
  std::optional<Options> remaining(const Calibration& so_far) const;
  /// An observer that reports a later part together with the earlier ones.
  Observer following(const Calibration& before) const;

  const Problem& problem_;
  const Options& options_;
  Evaluator& evaluator_;
  const simulate::Control& control_;
  const Observer& observer_;
};

}  // namespace gfdt::calibrate

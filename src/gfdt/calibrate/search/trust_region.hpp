#pragma once

#include <cmath>

namespace gfdt::calibrate {

/// The region in which the linear model is trusted, adapted according to how well it predicted the last step. Both
/// objectives have simulation noise, so differences below twice its standard deviation σ are ignored:
///
///     actual < −2σ, or < 0 and < predicted − 4σ   the step is rejected
///     actual < predicted/4 − 2σ, or rejected      the radius becomes a quarter of the step
///     actual > 3/4 predicted and restricted       the radius doubles
class TrustRegion {
 public:
  explicit TrustRegion(double radius) : radius_(radius) {}

  double radius() const { return radius_; }
  /// Whether a step is accepted.
  static bool stands(double actual, double predicted, double deviation);
  /// Whether a step is accepted; also adapts the radius. `length`: of the step, in the norm of the region;
  /// `restricted`: whether the region shortened the step; `same_noise`: whether the runs of both objectives have the
  /// same random numbers. If not, an unrestricted step whose predicted change is within the noise does not change the
  /// radius.
  bool judge(double actual, double predicted, double deviation, double length, bool restricted, bool same_noise = true);
  /// Shrinks the region after a step that could not be evaluated.
  void shrink(double length) { radius_ = length / 4; }

 private:
  double radius_;
};

inline bool TrustRegion::stands(double actual, double predicted, double deviation) {
  const bool grew = actual < -2 * deviation || (actual < 0 && predicted - actual > 4 * deviation);
  return !grew && std::isfinite(actual) && std::isfinite(deviation);
}

inline bool TrustRegion::judge(double actual, double predicted, double deviation, double length, bool restricted,
                               bool same_noise) {
  const bool stood = stands(actual, predicted, deviation);
  const bool telling = restricted || same_noise || !(predicted <= deviation);
  if (telling && (!stood || actual < predicted / 4 - 2 * deviation))
    shrink(length);
  else if (restricted && actual > 0.75 * predicted)
    radius_ *= 2;
  return stood;
}

}  // namespace gfdt::calibrate

#pragma once

#include <cmath>

namespace gfdt::calibrate {

/// The region in which the linear model is believed, by how well it foretold the last step. Both objectives carry the
/// noise of a simulation, so that nothing is concluded from less than twice its standard deviation σ:
///
///     actual < −2σ, or < 0 and 4σ below foretold  the step is taken back
///     actual < predicted/4 − 2σ, or taken back   the radius becomes a quarter of the step
///     actual > 3/4 predicted and cut short       the radius doubles
class TrustRegion {
 public:
  explicit TrustRegion(double radius) : radius_(radius) {}

  double radius() const { return radius_; }
  /// Whether the step stands. `length`: of the step, in the norm of the region; `restricted`: it was cut short by it.
  bool judge(double actual, double predicted, double deviation, double length, bool restricted);
  /// After a step that led nowhere.
  void shrink(double length) { radius_ = length / 4; }

 private:
  double radius_;
};

inline bool TrustRegion::judge(double actual, double predicted, double deviation, double length, bool restricted) {
  const bool grew = actual < -2 * deviation || (actual < 0 && predicted - actual > 4 * deviation);
  const bool stands = !grew && std::isfinite(actual) && std::isfinite(deviation);
  if (!stands || actual < predicted / 4 - 2 * deviation)
    shrink(length);
  else if (restricted && actual > 0.75 * predicted)
    radius_ *= 2;
  return stands;
}

}  // namespace gfdt::calibrate

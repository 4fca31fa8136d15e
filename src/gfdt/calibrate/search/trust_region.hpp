#pragma once

#include <cmath>

namespace gfdt::calibrate {

/// The region in which the linear model is believed, by how well it predicted the last step. Both objectives carry the
/// noise of a simulation, so that nothing is concluded from less than twice its standard deviation σ:
///
///     actual < −2σ, or < 0 and < predicted − 4σ   the step is rejected
///     actual < predicted/4 − 2σ, or rejected      the radius becomes a quarter of the step
///     actual > 3/4 predicted and cut short        the radius doubles
class TrustRegion {
 public:
  explicit TrustRegion(double radius) : radius_(radius) {}

  double radius() const { return radius_; }
  /// Whether a step stands.
  static bool stands(double actual, double predicted, double deviation);
  /// The same, with what it says of the region. `length`: of the step, in the norm of the region; `restricted`: it was
  /// cut short by it; `same_noise`: both objectives are of runs with the same random numbers. Where they are not, a
  /// step that was predicted to change less than noise does says nothing of the region.
  bool judge(double actual, double predicted, double deviation, double length, bool restricted, bool same_noise = true);
  /// After a step that led nowhere.
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

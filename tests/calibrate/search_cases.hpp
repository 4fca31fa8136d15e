#pragma once

#include "gfdt/calibrate/search/search.hpp"
#include "map_evaluator.hpp"

namespace gfdt::calibrate {

inline Eigen::MatrixXd diagonal(Eigen::Index size, double value) {
  return value * Eigen::MatrixXd::Identity(size, size);
}

inline Eigen::VectorXd linear(const Eigen::VectorXd& x) {
  return Eigen::Vector3d(x(0) + x(1), x(0) - 2 * x(1), 0.5 * x(0));
}
/// The variance and the correlation time of dx = −a x dt + s dW.
inline Eigen::VectorXd of_relaxation(const Eigen::VectorXd& x) {
  return Eigen::Vector2d(x(1) * x(1) / (2 * x(0)), 1 / x(0));
}

/// A problem whose model is replaced by a map.
struct Case {
  Problem problem;
  MapEvaluator evaluator;
  Options options = {.curvature = false};

  /// Runs a single search, without the recovery that may follow it.
  Calibration run(const Observer& observer = {}) {
    const simulate::Control control;
    return Search(problem, options, evaluator, control, observer).run();
  }
};

/// The true parameters are (2, −1).
inline Case linear_case(double noise = 1e-4, double of_targets = 1e-4) {
  return {problem_with({1, 1}, linear(Eigen::Vector2d(2, -1)), diagonal(3, of_targets)),
          MapEvaluator(linear, diagonal(3, noise))};
}

inline std::vector<Request> asked(const MapEvaluator& evaluator, Request::Purpose purpose) {
  std::vector<Request> result;
  for (const Request& request : evaluator.requests)
    if (request.purpose == purpose) result.push_back(request);
  return result;
}

}  // namespace gfdt::calibrate

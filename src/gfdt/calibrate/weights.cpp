#include "gfdt/calibrate/weights.hpp"

#include "gfdt/calibrate/linear_model.hpp"
#include "gfdt/core/error.hpp"

namespace gfdt::calibrate {

Eigen::MatrixXd weight_matrix(const Evaluation& evaluation, const Mismatch& mismatch, const Options& options) {
  const std::size_t targets = mismatch.residual.size();
  switch (options.weights) {
    case Weighting::noise:
      return pseudo_inverse(matrix_of(mismatch.noise, targets));
    case Weighting::covariance: {
      if (evaluation.observable_covariance.size() != targets * targets)
        throw Error("Weights by the covariance of the observables need it from the evaluation, which has none.");
      Eigen::MatrixXd covariance = matrix_of(evaluation.observable_covariance, targets);
      covariance.diagonal().array() += options.ridge;
      return pseudo_inverse(covariance);
    }
    case Weighting::variance: {
      Eigen::VectorXd inverse(static_cast<Eigen::Index>(targets));
      for (std::size_t m = 0; m < targets; ++m) {
        const double deviation = evaluation.statistics[m].standard_deviation;
        inverse(static_cast<Eigen::Index>(m)) = deviation > 0 ? 1 / (deviation * deviation) : 0;
      }
      return inverse.asDiagonal();
    }
  }
  return {};
}

}  // namespace gfdt::calibrate

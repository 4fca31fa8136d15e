#include "gfdt/calibrate/targets/weights.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

bool correlations_known(Eigen::Index size, double degrees_of_freedom) {
  constexpr double fewest = 2;  // per row
  return degrees_of_freedom >= fewest * static_cast<double>(size);
}

Eigen::MatrixXd noise_weights(const Eigen::MatrixXd& noise, double degrees_of_freedom) {
  if (correlations_known(noise.rows(), degrees_of_freedom)) return pseudo_inverse(noise);
  return pseudo_inverse(noise.diagonal().asDiagonal());
}

Eigen::MatrixXd weight_matrix(const Evaluation& evaluation, const Mismatch& mismatch, const Options& options) {
  const std::size_t targets = mismatch.residual.size();
  switch (options.weights) {
    case Weighting::noise:
      return noise_weights(matrix_of(mismatch.noise, targets), mismatch.degrees_of_freedom);
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
    case Weighting::none:
      return Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(targets), static_cast<Eigen::Index>(targets));
  }
  return {};
}

}  // namespace gfdt::calibrate

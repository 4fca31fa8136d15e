#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>

#include "gfdt/base/philox.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

/// A sequence of standard normals.
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : stream_(seed, codegen::Purpose::test, 0) {}
  double operator()() { return stream_.normal(position_++); }
  Eigen::VectorXd vector(Eigen::Index size) {
    return Eigen::VectorXd::NullaryExpr(size, [&](Eigen::Index) { return (*this)(); });
  }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXd result(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) result(i, j) = (*this)();
    return result;
  }
  /// A draw from the normal distribution with mean zero and this covariance.
  Eigen::VectorXd draw(const Eigen::MatrixXd& covariance) {
    return Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL() * vector(covariance.rows());
  }
  /// An estimate of the covariance with this number of degrees of freedom.
  Eigen::MatrixXd estimate(const Eigen::MatrixXd& covariance, int freedom) {
    const Eigen::MatrixXd factor = Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL();
    const Eigen::MatrixXd draws = factor * matrix(covariance.rows(), freedom);
    const Eigen::MatrixXd result = draws * draws.transpose() / freedom;
    return result;
  }

 private:
  codegen::Stream stream_;
  std::uint64_t position_ = 0;
};

/// A positive definite matrix with entries of about `size`.
inline Eigen::MatrixXd some_covariance(Normals& normals, Eigen::Index dimension, double size) {
  const Eigen::MatrixXd factor = normals.matrix(dimension, dimension);
  return size * (factor * factor.transpose() / static_cast<double>(dimension) +
                 0.3 * Eigen::MatrixXd::Identity(dimension, dimension));
}

/// A model without priors, with B = N⁻¹ and observables of standard deviation 1.
inline LinearModel linear_model_of(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& residual,
                                   const Eigen::MatrixXd& of_targets, const Eigen::MatrixXd& of_simulation) {
  LinearModel model;
  model.jacobian = jacobian;
  model.jacobian_error = Eigen::MatrixXd::Zero(jacobian.rows(), jacobian.cols());
  model.residual = residual;
  model.noise = of_targets + of_simulation;
  model.simulation_noise = of_simulation;
  model.weights = pseudo_inverse(model.noise);
  model.weighted_by_noise = true;
  model.prior_precision = model.prior_offset = Eigen::VectorXd::Zero(jacobian.cols());
  model.variance = Eigen::VectorXd::Ones(jacobian.rows());
  model.slope = model.magnitude = Eigen::VectorXd::Ones(jacobian.cols());
  model.bounded.assign(static_cast<std::size_t>(jacobian.cols()), false);
  return model;
}

}  // namespace gfdt::calibrate

#include "gfdt/calibrate/search/linear_model.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/calibrate/search/freedom.hpp"
#include "gfdt/calibrate/targets/weights.hpp"

namespace gfdt::calibrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd matrix_of(const std::vector<double>& values, std::size_t rows) {
  const auto count = static_cast<Index>(rows), columns = static_cast<Index>(rows ? values.size() / rows : 0);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data(), count,
                                                                                                  columns);
}

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

std::vector<double> values_of(const MatrixXd& matrix) {
  std::vector<double> values;
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  return values;
}

namespace {

/// The eigendecomposition of a positive semi-definite matrix scaled to a unit diagonal.
struct Scaled {
  VectorXd scale, values;
  MatrixXd vectors;
  double smallest = 0;  ///< smallest eigenvalue that is not treated as zero

  Scaled(const MatrixXd& matrix, double cutoff)
      : scale(matrix.diagonal().unaryExpr([](double entry) { return entry > 0 ? 1 / std::sqrt(entry) : 0.0; })) {
    const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * matrix * scale.asDiagonal());
    values = eigen.values;
    vectors = eigen.vectors;
    if (values.size() > 0) smallest = cutoff * std::max(values(values.size() - 1), 0.0);
  }
};

}  // namespace

MatrixXd pseudo_inverse(const MatrixXd& matrix, double cutoff) {
  const Scaled parts(matrix, cutoff);
  const VectorXd inverse =
      parts.values.unaryExpr([&](double value) { return value > parts.smallest ? 1 / value : 0.0; });
  const MatrixXd scaled = parts.scale.asDiagonal() * parts.vectors;
  return scaled * inverse.asDiagonal() * scaled.transpose();
}

Index rank_of(const MatrixXd& matrix, double cutoff) {
  const Scaled parts(matrix, cutoff);
  return (parts.values.array() > parts.smallest).count();
}

MatrixXd LinearModel::information() const {
  MatrixXd result = jacobian.transpose() * weights * jacobian;
  result.diagonal() += prior_precision;
  return result;
}

VectorXd LinearModel::gradient() const {
  return jacobian.transpose() * (weights * residual) + prior_precision.cwiseProduct(prior_offset);
}

double LinearModel::predicted_decrease(const VectorXd& step) const {
  const VectorXd change = jacobian * step;
  return -gradient().dot(step) - 0.5 * change.dot(weights * change) -
         0.5 * step.dot(prior_precision.cwiseProduct(step));
}

VectorXd LinearModel::column_norms(const MatrixXd& row_weights) const {
  VectorXd result(parameters());
  for (Index j = 0; j < parameters(); ++j)
    result(j) = std::sqrt(std::max(0.0, jacobian.col(j).dot(row_weights * jacobian.col(j))));
  return result;
}

LinearModel linear_model(const Problem& problem, const std::vector<double>& at, const Evaluation& evaluation,
                         const Mismatch& mismatch, const Options& options) {
  const std::size_t targets = problem.targets.size(), parameters = problem.parameters.size();
  LinearModel model;
  model.slope.resize(static_cast<Index>(parameters));
  model.magnitude.resize(static_cast<Index>(parameters));
  model.prior_precision = VectorXd::Zero(static_cast<Index>(parameters));
  model.prior_offset = model.prior_precision;
  for (std::size_t j = 0; j < parameters; ++j) {
    const FreeParameter& parameter = problem.parameters[j];
    const auto column = static_cast<Index>(j);
    const double slope = parameter.slope(at[j]);
    model.slope(column) = slope;
    model.bounded.push_back(parameter.bounded());
    model.magnitude(column) = std::max(std::abs(at[j]), std::abs(parameter.value)) / std::abs(slope);
    if (!parameter.prior) continue;
    model.prior_precision(column) = std::pow(slope / parameter.prior->std, 2);
    model.prior_offset(column) = (at[j] - parameter.prior->mean) / slope;
  }
  model.jacobian = matrix_of(evaluation.jacobian, targets) * model.slope.asDiagonal();
  model.jacobian_error = matrix_of(evaluation.jacobian_error, targets) * model.slope.cwiseAbs().asDiagonal();
  model.residual = vector_of(mismatch.residual);
  model.noise = matrix_of(mismatch.noise, targets);
  model.simulation_noise = matrix_of(evaluation.mean_covariance, targets);
  model.variance.resize(static_cast<Index>(targets));
  for (std::size_t m = 0; m < targets; ++m)
    model.variance(static_cast<Index>(m)) = std::pow(evaluation.statistics[m].standard_deviation, 2);
  model.weights = weight_matrix(evaluation, mismatch, options);
  model.weighted_by_noise = options.weights == Weighting::noise;
  model.noise_freedom = mismatch.degrees_of_freedom;
  model.simulation_freedom = simulation_freedom(evaluation);
  return model;
}

double objective(const Problem& problem, const std::vector<double>& at, const Mismatch& mismatch,
                 const MatrixXd& weights) {
  const VectorXd residual = vector_of(mismatch.residual);
  double result = 0.5 * residual.dot(weights * residual);
  for (std::size_t j = 0; j < at.size(); ++j)
    if (const auto& prior = problem.parameters[j].prior)
      result += 0.5 * std::pow((at[j] - prior->mean) / prior->std, 2);
  return result;
}

}  // namespace gfdt::calibrate

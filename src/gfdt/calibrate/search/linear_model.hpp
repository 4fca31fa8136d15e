#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// The problem linearised at some parameters, in the coordinates η of the free parameters:
///
///     Φ(δ) = ½ (r + Sδ)ᵀ B (r + Sδ) + ½ (δ + π)ᵀ Π (δ + π)
///
/// Π holds the precisions of the priors, and π is the distance of the parameters from the means of the priors.
struct LinearModel {
  Eigen::MatrixXd jacobian;          ///< S, with respect to η
  Eigen::MatrixXd jacobian_error;    ///< standard errors of S
  Eigen::VectorXd residual;          ///< r
  Eigen::MatrixXd weights;           ///< B
  Eigen::MatrixXd noise;             ///< N, of targets and simulation
  Eigen::MatrixXd simulation_noise;  ///< the contribution of the simulation to N
  Eigen::VectorXd prior_precision;   ///< diagonal of Π
  Eigen::VectorXd prior_offset;      ///< π
  Eigen::VectorXd variance;          ///< of the observables themselves
  Eigen::VectorXd slope;             ///< dθ/dη
  Eigen::VectorXd magnitude;         ///< the larger of |θ| and |guess|, as a change of η
  std::vector<bool> bounded;         ///< whether η is a logarithm
  double noise_freedom = std::numeric_limits<double>::infinity();       ///< degrees of freedom of N
  double simulation_freedom = std::numeric_limits<double>::infinity();  ///< of the simulation's contribution
  bool weighted_by_noise = false;                                       ///< whether B is noise_weights of N

  Eigen::Index parameters() const { return jacobian.cols(); }
  Eigen::Index targets() const { return jacobian.rows(); }

  /// SᵀBS + Π
  Eigen::MatrixXd information() const;
  /// ∇Φ at δ = 0
  Eigen::VectorXd gradient() const;
  /// Φ(0) − Φ(δ)
  double predicted_decrease(const Eigen::VectorXd& step) const;
  /// ‖S_j‖ of each column with the given weights of the rows.
  Eigen::VectorXd column_norms(const Eigen::MatrixXd& row_weights) const;
};

/// `at`: values of the free parameters at which the evaluation was made, natural scale.
LinearModel linear_model(const Problem& problem, const std::vector<double>& at, const Evaluation& evaluation,
                         const Mismatch& mismatch, const Options& options);

/// Φ of a mismatch at parameters, with the weights of a linear model.
double objective(const Problem& problem, const std::vector<double>& at, const Mismatch& mismatch,
                 const Eigen::MatrixXd& weights);

/// The matrix with the given number of rows from values in row-major order.
Eigen::MatrixXd matrix_of(const std::vector<double>& values, std::size_t rows);
Eigen::VectorXd vector_of(const std::vector<double>& values);
std::vector<double> values_of(const Eigen::MatrixXd& matrix);

/// The pseudo-inverse of a positive semi-definite matrix, which is first scaled to a unit diagonal. Eigenvalues below
/// `cutoff` times the largest one are treated as zero.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& matrix, double cutoff = 1e-12);
/// The number of eigenvalues that pseudo_inverse does not treat as zero.
Eigen::Index rank_of(const Eigen::MatrixXd& matrix, double cutoff = 1e-12);

}  // namespace gfdt::calibrate

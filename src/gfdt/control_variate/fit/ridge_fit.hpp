#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt::control_variate {

/// Sums over a part of the samples, of functions f (the L φ of a dictionary) and of targets y.
struct FunctionMoments {
  double count = 0;
  Eigen::VectorXd sum;       ///< Σf
  Eigen::MatrixXd products;  ///< Σf fᵀ

  void add(const FunctionMoments& other);
  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);
};
struct TargetMoments {
  Eigen::VectorXd sum, squares;  ///< Σy, Σy²
  Eigen::MatrixXd cross;         ///< Σf yᵀ, [function][target]

  void add(const TargetMoments& other);
  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);
};

/// Coefficients c that make y + Σ c_k f_k nearly constant.
struct RidgeFit {
  Eigen::MatrixXd coefficients;   ///< [function][target]
  Eigen::MatrixXd alternative;    ///< those of the next smaller set of functions, of none after the smallest
  std::vector<std::size_t> size;  ///< functions that were taken, of each target
  std::vector<double> ridge;      ///< that they were taken with
  std::vector<double> inflation;  ///< of what they leave
  std::vector<double> share;      ///< standard deviation that is left, over that of y, on samples not fitted
  std::vector<double> alternative_share;
};

/// Regularised least squares with the number of functions and the strength of the regularisation chosen for each target
/// by what they leave on the other of two parts of the samples; then fitted on both. Functions whose variance differs
/// much between the two parts, or is zero, have no coefficient: a few samples would decide it.
class RidgeRegression {
 public:
  RidgeRegression() = default;
  /// `sizes`: the sets of functions to choose from, the first so many each. `inflation`: by how much what a set leaves
  /// counts for more than it is.
  RidgeRegression(const FunctionMoments& first, const FunctionMoments& second, std::vector<std::size_t> sizes,
                  std::vector<double> inflation);

  RidgeFit fit(const TargetMoments& first, const TargetMoments& second) const;

  /// What parts of the samples that were fitted have moved the coefficients by, each against the mean of all parts:
  /// [part], each [function][target]. To first order, with size and ridge as they are.
  std::vector<Eigen::MatrixXd> influences(const RidgeFit& fit, std::span<const FunctionMoments> functions,
                                          std::span<const TargetMoments> targets) const;

 private:
  struct Solver;
  FunctionMoments moments_[2];
  std::vector<std::size_t> sizes_;
  std::vector<double> inflation_;
  std::vector<std::shared_ptr<const Solver>> solvers_[3];  ///< of either part, and of both; one a size
};

}  // namespace gfdt::control_variate

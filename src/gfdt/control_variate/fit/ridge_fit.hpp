#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt::control_variate {

/// Sums over a part of the samples, for functions f (the L φ of a dictionary) and targets y.
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

/// Coefficients c for which y + Σ c_k f_k is nearly constant.
struct RidgeFit {
  Eigen::MatrixXd coefficients;   ///< [function][target]
  Eigen::MatrixXd alternative;    ///< coefficients for the next smaller set of functions; zero after the smallest set
  std::vector<std::size_t> size;  ///< number of functions used, per target
  std::vector<double> ridge;      ///< ridge used, per target
  std::vector<double> inflation;  ///< inflation of the residual, per target
  std::vector<double> share;      ///< standard deviation of the residual over that of y, on samples not fitted
  std::vector<double> alternative_share;
};

/// Ridge regression. The number of functions and the ridge are chosen for each target by cross-validation between two
/// parts of the samples; the final fit uses both parts. Functions whose variance is zero, or differs much between the
/// two parts, get no coefficient, because a few samples would determine it.
class RidgeRegression {
 public:
  RidgeRegression() = default;
  /// `sizes`: the sizes of nested sets of functions to choose from. `inflation`: the factor by which the residual with
  /// each set is multiplied in the choice.
  RidgeRegression(const FunctionMoments& first, const FunctionMoments& second, std::vector<std::size_t> sizes,
                  std::vector<double> inflation);

  RidgeFit fit(const TargetMoments& first, const TargetMoments& second) const;

  /// Contributions of parts of the fitted samples to the coefficients, relative to the mean over all parts: [part],
  /// each [function][target]. To first order, with fixed size and ridge.
  std::vector<Eigen::MatrixXd> influences(const RidgeFit& fit, std::span<const FunctionMoments> functions,
                                          std::span<const TargetMoments> targets) const;

 private:
  struct Solver;
  FunctionMoments moments_[2];
  std::vector<std::size_t> sizes_;
  std::vector<double> inflation_;
  std::vector<std::shared_ptr<const Solver>> solvers_[3];  ///< for each part and for both; one per size
};

}  // namespace gfdt::control_variate

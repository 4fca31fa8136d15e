#include "gfdt/control_variate/fit/ridge_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Candidate values that are added to the diagonal of the correlation matrix of the functions.
constexpr std::array<double, 9> ridges{1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

/// A larger set of functions must reduce the variance at least to this share, and the variance must exceed rounding
/// errors.
constexpr double noticeable = 0.98, rounding = 1e-13;

/// Smallest ratio of the variances of a function on the two parts of the samples.
constexpr double alike = 0.01;

MatrixXd covariance(const FunctionMoments& moments, Index size) {
  const VectorXd mean = moments.sum.head(size) / moments.count;
  return moments.products.topLeftCorner(size, size) / moments.count - mean * mean.transpose();
}

MatrixXd covariance(const FunctionMoments& functions, const TargetMoments& targets, Index size) {
  return targets.cross.topRows(size) / functions.count -
         (functions.sum.head(size) / functions.count) * (targets.sum / functions.count).transpose();
}

/// Whether each function has a similar variance on both parts of the samples. Otherwise the variance comes from a few
/// samples or is zero, and the coefficient would be meaningless at the states where the function is large.
std::vector<bool> determined(const FunctionMoments& first, const FunctionMoments& second) {
  const auto variances = [](const FunctionMoments& moments) -> VectorXd {
    return moments.products.diagonal() / moments.count - (moments.sum / moments.count).cwiseAbs2();
  };
  const VectorXd one = variances(first), other = variances(second);
  std::vector<bool> result;
  for (Index k = 0; k < one.size(); ++k) {
    const double larger = std::max(one[k], other[k]);
    const bool varies =
        larger > rounding * (first.products(k, k) + second.products(k, k)) / (first.count + second.count);
    result.push_back(varies && std::min(one[k], other[k]) > alike * larger);
  }
  return result;
}

VectorXd variance(const FunctionMoments& functions, const TargetMoments& targets) {
  return (targets.squares / functions.count).array() - (targets.sum / functions.count).array().square();
}

}  // namespace

namespace {

template <class Matrix>
void put(const Matrix& matrix, Packer& packer) {
  packer.put(matrix.rows());
  packer.put(matrix.cols());
  packer.put(std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

template <class Matrix>
void get(Matrix& matrix, Unpacker& unpacker) {
  const auto rows = unpacker.get<Eigen::Index>(), columns = unpacker.get<Eigen::Index>();
  matrix.resize(rows, columns);
  unpacker.get(std::span<double>(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

}  // namespace

void FunctionMoments::pack(Packer& packer) const {
  packer.put(count);
  put(sum, packer);
  put(products, packer);
}

void FunctionMoments::unpack(Unpacker& unpacker) {
  unpacker.get(count);
  get(sum, unpacker);
  get(products, unpacker);
}

void TargetMoments::pack(Packer& packer) const {
  put(sum, packer);
  put(squares, packer);
  put(cross, packer);
}

void TargetMoments::unpack(Unpacker& unpacker) {
  get(sum, unpacker);
  get(squares, unpacker);
  get(cross, unpacker);
}

void FunctionMoments::add(const FunctionMoments& other) {
  if (count == 0) {
    *this = other;
    return;
  }
  count += other.count;
  sum += other.sum;
  products += other.products;
}

void TargetMoments::add(const TargetMoments& other) {
  if (sum.size() == 0) {
    *this = other;
    return;
  }
  sum += other.sum;
  squares += other.squares;
  cross += other.cross;
}

/// Least squares on one part of the samples with the first `size` functions.
struct RidgeRegression::Solver {
  Solver(const FunctionMoments& moments, std::size_t size, const std::vector<bool>& used)
      : functions(static_cast<Index>(size)) {
    MatrixXd matrix = covariance(moments, functions);
    scale = VectorXd::Zero(functions);
    for (Index k = 0; k < functions; ++k)
      if (used[static_cast<std::size_t>(k)]) scale[k] = 1 / std::sqrt(matrix(k, k));
    matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
    eigen = symmetric_eigen(matrix);
  }

  /// The first half of the solution, which does not depend on the ridge, from the covariances with the targets.
  MatrixXd projected(const MatrixXd& with_targets) const {
    return eigen.vectors.transpose() * (scale.asDiagonal() * with_targets);
  }
  MatrixXd solved(const MatrixXd& projection, double ridge) const {
    const VectorXd inverse = (eigen.values.cwiseMax(0.0).array() + ridge).inverse();
    return -(scale.asDiagonal() * (eigen.vectors * (inverse.asDiagonal() * projection)));
  }

  Index functions;
  VectorXd scale;  ///< 0 for functions that are not used; their coefficients are then 0, too
  SymmetricEigen eigen;
};

RidgeRegression::RidgeRegression(const FunctionMoments& first, const FunctionMoments& second,
                                 std::vector<std::size_t> sizes, std::vector<double> inflation)
    : moments_{first, second}, sizes_(std::move(sizes)), inflation_(std::move(inflation)) {
  FunctionMoments both = first;
  both.add(second);
  const std::vector<bool> used = determined(first, second);
  for (const std::size_t size : sizes_) {
    solvers_[0].push_back(std::make_shared<const Solver>(first, size, used));
    solvers_[1].push_back(std::make_shared<const Solver>(second, size, used));
    solvers_[2].push_back(std::make_shared<const Solver>(both, size, used));
  }
}

RidgeFit RidgeRegression::fit(const TargetMoments& first, const TargetMoments& second) const {
  const TargetMoments* const targets[2] = {&first, &second};
  const Index count = first.sum.size();
  const VectorXd variances = 0.5 * (variance(moments_[0], first) + variance(moments_[1], second));
  // Residual variance on the part that was not fitted: [size · ridges + ridge][target].
  MatrixXd left = MatrixXd::Zero(static_cast<Index>(sizes_.size() * ridges.size()), count);
  for (int part = 0; part < 2; ++part)
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      const Solver& solver = *solvers_[part][s];
      const MatrixXd projection = solver.projected(covariance(moments_[part], *targets[part], solver.functions));
      const FunctionMoments& other = moments_[1 - part];
      const MatrixXd matrix = covariance(other, solver.functions);
      const MatrixXd cross = covariance(other, *targets[1 - part], solver.functions);
      const VectorXd own = variance(other, *targets[1 - part]);
      for (std::size_t r = 0; r < ridges.size(); ++r) {
        const MatrixXd c = solver.solved(projection, ridges[r]);
        const MatrixXd image = matrix * c + 2 * cross;
        left.row(static_cast<Index>(s * ridges.size() + r)) +=
            0.5 * (own + c.cwiseProduct(image).colwise().sum().transpose()).transpose();
      }
    }
  TargetMoments both = first;
  both.add(second);
  FunctionMoments all = moments_[0];
  all.add(moments_[1]);
  const Index functions = moments_[0].sum.size();
  RidgeFit result{.coefficients = MatrixXd::Zero(functions, count),
                  .alternative = MatrixXd::Zero(functions, count),
                  .size = std::vector<std::size_t>(static_cast<std::size_t>(count), 0),
                  .ridge = std::vector<double>(static_cast<std::size_t>(count), 0.0),
                  .inflation = std::vector<double>(static_cast<std::size_t>(count), 1.0),
                  .share = std::vector<double>(static_cast<std::size_t>(count), 1.0),
                  .alternative_share = std::vector<double>(static_cast<std::size_t>(count), 1.0)};
  std::vector<MatrixXd> projections;
  for (const auto& solver : solvers_[2])
    projections.push_back(solver->projected(covariance(all, both, solver->functions)));
  for (Index t = 0; t < count; ++t) {
    const std::size_t target = static_cast<std::size_t>(t);
    double best = variances[t], before = variances[t], counted = best;
    std::size_t best_size = sizes_.size(), best_ridge = 0, before_size = sizes_.size(), before_ridge = 0;
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      double least = std::numeric_limits<double>::infinity();
      std::size_t ridge = 0;
      for (std::size_t r = 0; r < ridges.size(); ++r)
        if (const double value = left(static_cast<Index>(s * ridges.size() + r), t); value < least) {
          least = value;
          ridge = r;
        }
      const double counts = std::pow(inflation_[s], 2) * least;
      if (!(counts < noticeable * counted) || best < rounding * variances[t]) continue;
      counted = counts;
      before = best;
      before_size = best_size;
      before_ridge = best_ridge;
      best = least;
      best_size = s;
      best_ridge = ridge;
    }
    const auto take = [&](std::size_t s, std::size_t r, MatrixXd& to) {
      if (s == sizes_.size()) return;
      to.col(t).head(solvers_[2][s]->functions) = solvers_[2][s]->solved(projections[s].col(t), ridges[r]);
    };
    take(best_size, best_ridge, result.coefficients);
    take(before_size, before_ridge, result.alternative);
    if (best_size < sizes_.size()) {
      result.size[target] = sizes_[best_size];
      result.ridge[target] = ridges[best_ridge];
      result.inflation[target] = inflation_[best_size];
    }
    const double scale = variances[t] > 0 ? variances[t] : 1;
    result.share[target] = std::sqrt(std::max(0.0, best) / scale);
    result.alternative_share[target] = std::sqrt(std::max(0.0, before) / scale);
  }
  return result;
}

std::vector<MatrixXd> RidgeRegression::influences(const RidgeFit& fit, std::span<const FunctionMoments> functions,
                                                  std::span<const TargetMoments> targets) const {
  FunctionMoments all = moments_[0];
  all.add(moments_[1]);
  TargetMoments both = targets[0];
  for (const TargetMoments& part : targets.subspan(1)) both.add(part);
  const VectorXd mean = all.sum / all.count, target_mean = both.sum / all.count;
  // Σ (f − <f>)(r − <r>) over each part, for the residuals r = y + Σ c f of the targets.
  std::vector<MatrixXd> moved;
  MatrixXd average = MatrixXd::Zero(fit.coefficients.rows(), fit.coefficients.cols());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const FunctionMoments& f = functions[i];
    const MatrixXd along = fit.coefficients.transpose() * (f.sum - f.count * mean);
    moved.push_back(targets[i].cross + f.products * fit.coefficients - mean * targets[i].sum.transpose() -
                    f.sum * target_mean.transpose() + f.count * mean * target_mean.transpose() -
                    f.sum * (mean.transpose() * fit.coefficients) - mean * along.transpose());
    average += moved.back() / static_cast<double>(functions.size());
  }
  for (MatrixXd& part : moved) {
    part = -(part - average) / all.count;
    for (Index t = 0; t < part.cols(); ++t) {
      const auto s = std::ranges::find(sizes_, fit.size[static_cast<std::size_t>(t)]) - sizes_.begin();
      VectorXd column = VectorXd::Zero(part.rows());
      if (s < std::ssize(sizes_)) {
        const Solver& solver = *solvers_[2][static_cast<std::size_t>(s)];
        column.head(solver.functions) = -solver.solved(solver.projected(part.col(t).head(solver.functions)),
                                                       fit.ridge[static_cast<std::size_t>(t)]);
      }
      part.col(t) = column;
    }
  }
  return moved;
}

}  // namespace gfdt::control_variate

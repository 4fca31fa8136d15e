#include "gfdt/control_variate/fit/soundness.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Relative increase of the diagonal of the covariance matrix of the functions.
constexpr double ridge = 1e-8;
/// Allowance for chance, in standard deviations: for an increase of T², and for a decrease of the variance over groups.
constexpr double chance = 3, chance_of_variance = 2;

/// T² in the direction in which the mean of all functions is furthest from zero.
double hotelling(const std::vector<const std::vector<double>*>& means, const FunctionMoments& all, Index size) {
  const VectorXd mean = all.sum.head(size) / all.count;
  MatrixXd matrix = all.products.topLeftCorner(size, size) / all.count - mean * mean.transpose();
  matrix.diagonal() *= 1 + ridge;
  const VectorXd direction = matrix.ldlt().solve(mean);
  const double along = direction.dot(mean), groups = static_cast<double>(means.size());
  double squares = 0;
  for (const std::vector<double>* of_group : means)
    squares += std::pow(direction.dot(Eigen::Map<const VectorXd>(of_group->data(), size)) - along, 2);
  return squares > 0 ? along * along * groups * (groups - 1) / squares : 0;
}

}  // namespace

std::vector<double> inflations(const SampleSums& sums, std::size_t half, const std::vector<std::size_t>& sizes) {
  FunctionMoments all = sums.functions_of(2 * half);
  all.add(sums.functions_of(2 * half + 1));
  std::vector<const std::vector<double>*> means;
  for (std::size_t g = 0; g < sums.function_means.size(); ++g)
    if (half_of(g, sums.function_means.size()) == half) means.push_back(&sums.function_means[g]);
  const double groups = static_cast<double>(means.size());
  std::vector<double> excess;
  for (const std::size_t size : sizes) {
    const double k = static_cast<double>(size), few = 1 + chance_of_variance * std::sqrt(2.0 / (groups - 1));
    const double by_chance = few * (k + chance * std::sqrt(2 * k));
    excess.push_back(std::max(0.0, hotelling(means, all, static_cast<Index>(size)) - by_chance));
  }
  std::vector<double> result;
  for (std::size_t s = 0; s < sizes.size(); ++s)
    result.push_back(std::sqrt(1 + std::max(excess[s], excess[std::min(s + 1, sizes.size() - 1)])));
  return result;
}

}  // namespace gfdt::control_variate

#include "gfdt/score/estimators/gaussian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/linear_solve.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/score/estimators/block_product.hpp"
#include "gfdt/score/estimators/moments.hpp"

namespace gfdt::score {
namespace {

/// Of the correlation matrix, per component: below it, the variance of some combination of components is a rounding
/// error.
constexpr double smallest_eigenvalue = 1e-13;
/// Components with a smaller weight in that combination are not named.
constexpr double named_weight = 0.02;

void check_precision(const std::vector<double>& mean, const std::vector<double>& precision) {
  const std::size_t d = mean.size();
  if (precision.size() != d * d)
    throw Error(
        fmt::format("A Gaussian in {} dimensions needs {} numbers of precision, not {}.", d, d * d, precision.size()));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double a = precision[i * d + j], b = precision[j * d + i];
      const double scale = std::sqrt(std::abs(precision[i * d + i] * precision[j * d + j]));
      if (!(std::abs(a - b) <= 1e-9 * scale) || !std::isfinite(mean[i]))
        throw Error(fmt::format(
            "The Gaussian's mean and precision must be finite numbers and its precision symmetric; entries ({}, {}) "
            "are {} and {}.",
            i, j, a, b));
    }
}

}  // namespace

GaussianField::GaussianField(std::vector<double> mean, std::vector<double> precision, std::string description)
    : Field(static_cast<int>(mean.size())),
      mean_(std::move(mean)),
      jacobian_(std::move(precision)),
      description_(std::move(description)) {
  check_precision(mean_, jacobian_);
  for (double& entry : jacobian_) entry = -entry;
}

std::vector<double> GaussianField::precision() const {
  std::vector<double> result = jacobian_;
  for (double& entry : result) entry = -entry;
  return result;
}

void GaussianField::evaluate(const double* x, int lanes, double* s) const {
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::vector<double> deviation(mean_.size() * width);
  for (std::size_t i = 0; i < mean_.size(); ++i)
    for (std::size_t lane = 0; lane < width; ++lane) deviation[i * width + lane] = x[i * width + lane] - mean_[i];
  block_product(jacobian_.data(), dimension(), dimension(), deviation.data(), lanes, s);
}

void GaussianField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                  double* sv) const {
  evaluate(x, lanes, s);
  const std::size_t block = mean_.size() * static_cast<std::size_t>(lanes);
  for (std::size_t direction = 0; direction < static_cast<std::size_t>(directions); ++direction)
    block_product(jacobian_.data(), dimension(), dimension(), v + direction * block, lanes, sv + direction * block);
}

void GaussianField::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                             double* values) const {
  evaluate(x, lanes, s);
  for (const JacobianEntry& entry : entries) {
    const std::size_t at = static_cast<std::size_t>(entry.row) * mean_.size() + static_cast<std::size_t>(entry.column);
    values = std::fill_n(values, lanes, jacobian_[at]);
  }
}

std::vector<double> inverse_covariance(const std::vector<double>& covariance, const std::vector<std::string>& names,
                                       const std::string& remedy) {
  const Eigen::Index d = static_cast<Eigen::Index>(names.size());
  const Eigen::Map<const Eigen::MatrixXd> matrix(covariance.data(), d, d);
  for (Eigen::Index i = 0; i < d; ++i)
    if (!(matrix(i, i) > 0) || !std::isfinite(matrix(i, i)))
      throw Error(
          fmt::format("The variance of {} is {}; {}.", names[static_cast<std::size_t>(i)], matrix(i, i), remedy));
  // The correlation matrix is inverted instead, because components may differ by orders of magnitude.
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * matrix * scale.asDiagonal();
  const SymmetricEigen spectrum = symmetric_eigen(correlation);
  if (!(spectrum.values(0) > smallest_eigenvalue * static_cast<double>(d))) {
    std::vector<std::string> dependent;
    for (Eigen::Index i = 0; i < d; ++i)
      if (std::abs(spectrum.vectors(i, 0)) > named_weight) dependent.push_back(names[static_cast<std::size_t>(i)]);
    throw Error(fmt::format("A combination of {} does not vary, so the covariance has no inverse; {}.",
                            fmt::join(dependent, ", "), remedy));
  }
  const Eigen::MatrixXd inverse = positive_definite_inverse(correlation);
  std::vector<double> precision(covariance.size());
  Eigen::Map<Eigen::MatrixXd>(precision.data(), d, d) =
      scale.asDiagonal() * (0.5 * (inverse + inverse.transpose())) * scale.asDiagonal();
  return precision;
}

GaussianField fit_gaussian(const Samples& samples) {
  if (samples.size() == 0) throw Error("There are no samples to fit a Gaussian to; make the run longer.");
  Moments moments = averaged_over_translations(samples.arrangement, moments_of(samples));
  std::vector<double> precision = inverse_covariance(moments.covariance, samples.names,
                                                     "take more samples, remove a state or give it noise of its own");
  if (samples.arrangement.lattice()) precision = circulant_part(samples.arrangement, precision);
  return {std::move(moments.mean), std::move(precision), "Gaussian with the mean and covariance of the samples"};
}

}  // namespace gfdt::score

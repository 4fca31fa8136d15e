#include "gfdt/score/polynomial_correction.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/score/moments.hpp"

namespace gfdt::score {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Map = Eigen::Map<Matrix>;

constexpr std::size_t most_lanes = 64;
constexpr int most_monomials = 40, highest_degree = 6;
/// Directions of the Gram matrix with a smaller share of its trace are left alone.
constexpr double negligible = 1e-11;

/// z = (x − mean)/std of a block, in place.
void normalise(const Normalisation& normalisation, std::size_t lanes, std::vector<double>& x) {
  for (std::size_t i = 0; i < normalisation.mean.size(); ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      x[i * lanes + lane] = (x[i * lanes + lane] - normalisation.mean[i]) / normalisation.std[i];
}

}  // namespace

int correction_degree(int dimension) {
  int degree = 1;
  while (degree < highest_degree && Monomials(dimension, degree + 1).count() <= most_monomials) ++degree;
  return degree;
}

PolynomialCorrection polynomial_correction(std::shared_ptr<const Field> field, const Samples& samples, int degree,
                                           int threads) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension());
  const Monomials monomials(samples.dimension(), degree);
  const Eigen::Index n = monomials.count(), rows = samples.dimension();
  const std::size_t count = static_cast<std::size_t>(n);
  PolynomialPart part{degree, normalisation_of(samples), std::vector<double>(d, 0), std::vector<double>(d, 0), {}};
  // <φφᵀ>, <ŝ φᵀ> and <ŝ²>, with ŝ = std s.
  const std::vector<double> totals = sum_over_samples(
      samples.size(), count * count + d * count + d,
      [&](std::size_t begin, std::size_t end, double* sums) {
        std::vector<double> x(d * most_lanes), s(x.size()), powers(count * most_lanes);
        for (std::size_t first = begin; first < end; first += most_lanes) {
          const std::size_t lanes = std::min(most_lanes, end - first);
          const int width = static_cast<int>(lanes);
          copy_rows(samples, first, width, x.data());
          field->evaluate(x.data(), width, s.data());
          normalise(part.normalisation, lanes, x);
          monomials.evaluate(x.data(), width, powers.data());
          for (std::size_t i = 0; i < d * lanes; ++i) s[i] *= part.normalisation.std[i / lanes];
          const Eigen::Map<const Matrix> phi(powers.data(), n, width), score(s.data(), rows, width);
          Map(sums, n, n).noalias() += phi * phi.transpose();
          Map(sums + count * count, rows, n).noalias() += score * phi.transpose();
          Map(sums + count * count + d * count, rows, 1) += score.array().square().matrix().rowwise().sum();
        }
      },
      threads);
  if (!std::ranges::all_of(totals, [](double value) { return std::isfinite(value); }))
    throw Error("The score is not a finite number at some of the samples; fit it again with more samples.");
  for (std::size_t sample = 0; sample < samples.size(); ++sample)
    for (std::size_t i = 0; i < d; ++i) {
      const double z = (samples[sample][i] - part.normalisation.mean[i]) / part.normalisation.std[i];
      part.lowest[i] = std::min(part.lowest[i], z);
      part.highest[i] = std::max(part.highest[i], z);
    }
  const double size = static_cast<double>(samples.size());
  const Matrix gram = Eigen::Map<const Matrix>(totals.data(), n, n) / size;
  Matrix defect = Eigen::Map<const Matrix>(totals.data() + count * count, rows, n) / size;
  // <∂_iφ_k>: the derivative of a monomial is one of them, and <φ> is the first row of the Gram matrix.
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index i = 0; i < rows; ++i) {
      std::vector<double> unit(count, 0.0);
      unit[static_cast<std::size_t>(k)] = 1;
      const std::vector<double> slope = monomials.derivative(unit, static_cast<int>(i));
      defect(i, k) += gram.row(0).dot(Eigen::Map<const Eigen::RowVectorXd>(slope.data(), n));
    }
  // Monomials are scaled to size 1, so that the Gram matrix is one of correlations.
  const Eigen::VectorXd scale = gram.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * gram * scale.asDiagonal());
  const Eigen::VectorXd inverse = eigen.eigenvalues().unaryExpr(
      [&](double value) { return value > negligible * static_cast<double>(n) ? 1 / value : 0.0; });
  const Matrix coefficients = -(defect * scale.asDiagonal()) * eigen.eigenvectors() * inverse.asDiagonal() *
                              eigen.eigenvectors().transpose() * scale.asDiagonal();
  part.coefficients.assign(coefficients.data(), coefficients.data() + coefficients.size());
  PolynomialCorrection result;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double added = coefficients.row(i) * gram * coefficients.row(i).transpose();
    const double all = totals[count * count + d * count + static_cast<std::size_t>(i)] / size;
    result.distance = std::max(result.distance, std::sqrt(std::max(0.0, added) / all));
  }
  result.field = std::make_shared<PolynomialField>(std::move(field), std::move(part));
  return result;
}

}  // namespace gfdt::score

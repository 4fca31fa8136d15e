#include "gfdt/score/fields/linear_correction.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/linear_solve.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/score/estimators/normalisation.hpp"

namespace gfdt::score {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// In more dimensions, an entry of the corrected Jacobian, which depends on a full column, is too expensive.
constexpr int most_circulant_dimension = 128;

/// −<x sᵀ> with each component of x centred, so that the mean of s has no effect.
RowMatrix minus_x_s(const Field& field, const Samples& samples, int threads) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension());
  const Eigen::Index dimension = samples.dimension();
  const auto most_lanes = static_cast<std::size_t>(field.best_lanes());
  std::vector<double> totals = sum_over_samples(
      samples.size(), d * d + 2 * d,
      [&](std::size_t begin, std::size_t end, double* partial) {
        std::vector<double> x(d * most_lanes), s(x.size());
        Eigen::Map<RowMatrix> products(partial, dimension, dimension);
        Eigen::Map<Eigen::VectorXd> x_sum(partial + d * d, dimension), s_sum(partial + d * d + d, dimension);
        for (std::size_t first = begin; first < end; first += most_lanes) {
          const int lanes = static_cast<int>(std::min(most_lanes, end - first));
          copy_rows(samples, first, lanes, x.data());
          field.evaluate(x.data(), lanes, s.data());
          // Relative to the first sample, so that a mean far from zero does not cost digits.
          for (std::size_t i = 0; i < d * static_cast<std::size_t>(lanes); ++i)
            x[i] -= samples[0][i / static_cast<std::size_t>(lanes)];
          const Eigen::Map<const RowMatrix> x_block(x.data(), dimension, lanes), s_block(s.data(), dimension, lanes);
          products.noalias() += x_block * s_block.transpose();
          x_sum += x_block.rowwise().sum();
          s_sum += s_block.rowwise().sum();
        }
      },
      threads);
  const double n = static_cast<double>(samples.size());
  const Eigen::Map<const RowMatrix> products(totals.data(), dimension, dimension);
  const Eigen::Map<const Eigen::VectorXd> x_sum(&totals[d * d], dimension), s_sum(&totals[d * d + d], dimension);
  return (x_sum / n) * (s_sum / n).transpose() - products / n;
}

RowMatrix restricted(const RowMatrix& matrix, const Arrangement& arrangement, CorrectionForm form) {
  if (form == CorrectionForm::full) return matrix;
  const std::vector<double> average = circulant_part(arrangement, {matrix.data(), matrix.data() + matrix.size()});
  const RowMatrix circulant = Eigen::Map<const RowMatrix>(average.data(), matrix.rows(), matrix.cols());
  if (form == CorrectionForm::circulant) return circulant;
  return circulant.diagonal().asDiagonal().toDenseMatrix();
}

}  // namespace

LinearCorrection linear_correction(const Field& field, const Samples& samples, CorrectionForm form, int threads) {
  if (field.dimension() != samples.dimension())
    throw Error(fmt::format("The score has {} components and the samples {}; both must be of one model.",
                            field.dimension(), samples.dimension()));
  if (form == CorrectionForm::automatic)
    form = !samples.arrangement.lattice()                    ? CorrectionForm::full
           : samples.dimension() <= most_circulant_dimension ? CorrectionForm::circulant
                                                             : CorrectionForm::diagonal;
  const Normalisation normalisation = normalisation_of(samples);
  const Eigen::Index d = samples.dimension();
  const Eigen::Map<const Eigen::VectorXd> std(normalisation.std.data(), d);
  const RowMatrix raw = minus_x_s(field, samples, threads);
  if (!raw.allFinite())
    throw Error(
        "The score is not a finite number at some of the samples; fit it again with more samples or a smaller "
        "learning rate.");
  // x̂ = x/std and ŝ = std s make −<x̂ ŝᵀ> dimensionless.
  const RowMatrix product =
      restricted(std.cwiseInverse().asDiagonal() * raw * std.asDiagonal(), samples.arrangement, form);
  const RowMatrix xi = RowMatrix::Identity(d, d) - product;
  const Eigen::VectorXd squares = symmetric_eigenvalues(xi.transpose() * xi);
  LinearCorrection result;
  result.distance = std::sqrt(std::max(0.0, squares(d - 1)));
  if (!(result.distance <= farthest_corrected))
    throw Error(
        fmt::format("The score is too far from the exact one to be corrected: −<x sᵀ> differs from the identity by "
                    "{:.3g}, more than {}. Fit it with more samples, longer, or with a larger network.",
                    result.distance, farthest_corrected));
  const RowMatrix w = inverse(product.transpose());
  result.matrix.resize(static_cast<std::size_t>(w.size()));
  // In the original units: ς = std⁻¹ Ŵ std s.
  Eigen::Map<RowMatrix>(result.matrix.data(), d, d) = std.cwiseInverse().asDiagonal() * w * std.asDiagonal();
  if (form == CorrectionForm::circulant) result.matrix = circulant_part(samples.arrangement, result.matrix);
  return result;
}

}  // namespace gfdt::score

#include "gfdt/response/responses.hpp"

#include <Eigen/Dense>
#include <map>
#include <numeric>

namespace gfdt::response {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConjugateGroup::Kind;

/// Directions of the functions' correlation matrix with a smaller eigenvalue are left alone.
constexpr double negligible = 1e-9;

/// A vector estimated from all groups, and what each adds to it beyond its share, one column a group.
struct Estimated {
  VectorXd value;
  MatrixXd influence;
};

MatrixXd pseudo_inverse(const MatrixXd& covariance) {
  const VectorXd scale = covariance.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * covariance * scale.asDiagonal());
  const VectorXd inverse =
      eigen.eigenvalues().unaryExpr([](double value) { return value > negligible ? 1 / value : 0.0; });
  return scale.asDiagonal() * eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose() *
         scale.asDiagonal();
}

}  // namespace

struct Responses::Correction {
  Correction(const Signals& all_signals, const Correlations& all_correlations)
      : signals(all_signals), correlations(all_correlations), basis(all_signals.groups().back()) {
    const Eigen::Index functions = basis.rows - 1;
    total = moments(0);
    for (std::size_t g = 1; g < correlations.groups(); ++g) total += moments(g);
    MatrixXd covariance(functions, functions);
    for (Eigen::Index k = 0; k < functions; ++k) {
      covariances.push_back(with_functions(row(k + 1)));
      covariance.row(k) = covariances.back().value.transpose();
    }
    inverse = pseudo_inverse(covariance);
  }

  int row(Eigen::Index function) const { return basis.first_row + static_cast<int>(function); }

  /// [earlier rows, then dynamics rows][function] of a group.
  MatrixXd moments(std::size_t group) const {
    const std::vector<double>& sums = correlations.sums(group).moments;
    const Eigen::Index rows = static_cast<Eigen::Index>(sums.size()) / basis.rows;
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(sums.data(), rows,
                                                                                                    basis.rows);
  }

  int one_of(int earlier) const {
    int one = 0;
    for (const ConjugateGroup& group : signals.groups())
      if (group.first_row <= earlier) one = group.first_row;
    return one;
  }

  /// Covariances of an earlier row with the functions, the constant left out.
  Estimated with_functions(int earlier) const {
    const Eigen::Index functions = basis.rows - 1, groups = static_cast<Eigen::Index>(correlations.groups());
    const int one = one_of(earlier);
    const double count = total(one, 0), mean = total(earlier, 0) / count;
    const VectorXd functions_mean = total.row(one).tail(functions).transpose() / count;
    const auto centred = [&](const MatrixXd& sums) -> VectorXd {
      return sums.row(earlier).tail(functions).transpose() - mean * sums.row(one).tail(functions).transpose() -
             functions_mean * sums(earlier, 0) + sums(one, 0) * mean * functions_mean;
    };
    Estimated result{centred(total) / count, MatrixXd(functions, groups)};
    for (Eigen::Index g = 0; g < groups; ++g) {
      const MatrixXd sums = moments(static_cast<std::size_t>(g));
      result.influence.col(g) = (centred(sums) - sums(one, 0) * result.value) / count;
    }
    return result;
  }

  /// <g φ> of a parameter, from its J and M.
  Estimated targets(std::size_t parameter) const {
    const Eigen::Index functions = basis.rows - 1, groups = static_cast<Eigen::Index>(correlations.groups());
    const int first = signals.shape().earlier;
    const double count = total(basis.first_row, 0);
    const auto of = [&](const MatrixXd& sums) -> VectorXd {
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows =
          sums.bottomRows(sums.rows() - first);
      const std::vector<double> found =
          signals.basis()->targets(parameter, {rows.data(), static_cast<std::size_t>(rows.size())});
      return Eigen::Map<const VectorXd>(found.data(), basis.rows).tail(functions);
    };
    Estimated result{of(total) / count, MatrixXd(functions, groups)};
    for (Eigen::Index g = 0; g < groups; ++g) {
      const MatrixXd sums = moments(static_cast<std::size_t>(g));
      result.influence.col(g) = (of(sums) - sums(basis.first_row, 0) * result.value) / count;
    }
    return result;
  }

  /// <gφ> − <ĝφ>, of differences between two ĝ that between the two of these.
  const Estimated& defect(const ConjugateGroup& group, std::size_t i) {
    const int earlier = group.first_row + 1 + static_cast<int>(i);
    const auto [place, fresh] = defects.try_emplace(earlier);
    if (!fresh) return place->second;
    Estimated found = with_functions(earlier);
    found.value = -found.value;
    found.influence = -found.influence;
    if (group.kind != Kind::difference) {
      const Estimated known = targets(group.parameters[i]);
      found.value += known.value;
      found.influence += known.influence;
    }
    return place->second = std::move(found);
  }

  /// ∫ w <A(t) φ(0)> dt of all functions.
  const Estimated& functions_response(int later, const Weights& weights) {
    const Eigen::Index functions = basis.rows - 1, groups = static_cast<Eigen::Index>(correlations.groups());
    auto [place, fresh] = pairs.try_emplace(later);
    if (fresh)
      for (Eigen::Index k = 0; k < functions; ++k)
        place->second.push_back(correlations.between(later, row(k + 1), basis.first_row));
    if (later == last_later && weights == last_weights) return last;
    last = {VectorXd(functions), MatrixXd(functions, groups)};
    for (Eigen::Index k = 0; k < functions; ++k) {
      const LagCorrelation& pair = place->second[static_cast<std::size_t>(k)];
      last.value(k) = pair.interval * std::inner_product(weights.begin(), weights.end(), pair.value.begin(), 0.0);
      last.influence.row(k) = Eigen::Map<const Eigen::RowVectorXd>(pair.influences(weights).data(), groups);
    }
    last_later = later;
    last_weights = weights;
    return last;
  }

  Estimate corrected(int later, const ConjugateGroup& group, std::size_t i, const Weights& weights) {
    const LagCorrelation plain =
        correlations.between(later, group.first_row + 1 + static_cast<int>(i), group.first_row);
    const Estimated& missing = defect(group, i);
    const Estimated& response = functions_response(later, weights);
    const VectorXd slope = inverse * response.value;  // of the response by the defect
    const VectorXd coefficients = inverse * missing.value;
    std::vector<double> influences = plain.influences(weights);
    VectorXd added = missing.influence.transpose() * slope + response.influence.transpose() * coefficients;
    for (Eigen::Index k = 0; k < slope.size(); ++k)
      added -= slope(k) * covariances[static_cast<std::size_t>(k)].influence.transpose() * coefficients;
    for (std::size_t g = 0; g < influences.size(); ++g) influences[g] += added(static_cast<Eigen::Index>(g));
    return {plain.integral(weights).value + slope.dot(missing.value), error_of(influences)};
  }

  const Signals& signals;
  const Correlations& correlations;
  ConjugateGroup basis;
  MatrixXd total;
  std::vector<Estimated> covariances;  ///< rows of G
  MatrixXd inverse;                    ///< of G
  std::map<int, Estimated> defects;                  ///< by earlier row
  std::map<int, std::vector<LagCorrelation>> pairs;  ///< by later row: with each function
  int last_later = -1;
  Weights last_weights;
  Estimated last;
};

Responses::Responses(const Signals& signals, const Correlations& correlations) : correlations_(correlations) {
  if (signals.basis()) correction_ = std::make_unique<Correction>(signals, correlations);
}

Responses::~Responses() = default;

Estimate Responses::integral(int later, const ConjugateGroup& group, std::size_t i, const Weights& weights) const {
  if (correction_) return correction_->corrected(later, group, i, weights);
  return correlations_.integral(later, group.first_row + 1 + static_cast<int>(i), group.first_row, weights);
}

}  // namespace gfdt::response

#include "gfdt/jacobian/remainder/responses.hpp"

#include <Eigen/Core>
#include <map>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::jacobian {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConjugateGroup::Kind;

/// Eigendirections of the functions' correlation matrix with a smaller eigenvalue are ignored.
constexpr double negligible = 1e-9;

/// A vector estimated from all groups, and the influence of each group, one column per group.
struct Estimated {
  VectorXd value;
  MatrixXd influence;
};

MatrixXd pseudo_inverse(const MatrixXd& covariance) {
  const VectorXd scale = covariance.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * covariance * scale.asDiagonal());
  const VectorXd inverse = eigen.values.unaryExpr([](double value) { return value > negligible ? 1 / value : 0.0; });
  return scale.asDiagonal() * eigen.vectors * inverse.asDiagonal() * eigen.vectors.transpose() * scale.asDiagonal();
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

  /// Moments of a group, [earlier rows, then dynamics rows][function].
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

  /// Covariances of an earlier row with the functions except the constant.
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

  /// <gφ> − <ĝφ>; for differences between two ĝ, the difference between their values.
  Estimated defect(const ConjugateGroup& group, std::size_t i) const {
    Estimated found = with_functions(group.first_row + 1 + static_cast<int>(i));
    found.value = -found.value;
    found.influence = -found.influence;
    if (group.kind != Kind::difference) {
      const Estimated known = targets(group.parameters[i]);
      found.value += known.value;
      found.influence += known.influence;
    }
    return found;
  }

  /// The correction of a conjugate: its coefficients c, and the influences of the groups on G·(c − expected value).
  struct Missing {
    VectorXd coefficients;
    MatrixXd influence;  ///< [function][group]
  };
  const Missing& missing(const ConjugateGroup& group, std::size_t i) {
    const auto [place, fresh] = missings.try_emplace(group.first_row + 1 + static_cast<int>(i));
    if (!fresh) return place->second;
    const Estimated off = defect(group, i);
    place->second = {inverse * off.value, off.influence};
    for (std::size_t k = 0; k < covariances.size(); ++k)
      place->second.influence.row(static_cast<Eigen::Index>(k)) -=
          place->second.coefficients.transpose() * covariances[k].influence;
    return place->second;
  }

  /// <A(t) φ(0)> of all functions; `solved`: G⁻¹ times that, one column per node.
  struct OfFunctions {
    std::vector<LagCorrelation> pairs;
    MatrixXd solved;
  };
  const OfFunctions& of_functions(int later) {
    const auto [place, fresh] = responses.try_emplace(later);
    if (!fresh) return place->second;
    const Eigen::Index functions = basis.rows - 1, nodes = static_cast<Eigen::Index>(correlations.bins().nodes());
    MatrixXd values(functions, nodes);
    for (Eigen::Index k = 0; k < functions; ++k) {
      place->second.pairs.push_back(correlations.between(later, row(k + 1), basis.first_row));
      values.row(k) = Eigen::Map<const Eigen::RowVectorXd>(place->second.pairs.back().value.data(), nodes);
    }
    place->second.solved = inverse * values;
    return place->second;
  }

  LagCorrelation corrected(int later, const ConjugateGroup& group, std::size_t i) {
    using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    LagCorrelation result = correlations.between(later, group.first_row + 1 + static_cast<int>(i), group.first_row);
    const Missing& part = missing(group, i);
    const OfFunctions& functions = of_functions(later);
    const Eigen::Index nodes = functions.solved.cols();
    Eigen::Map<RowMatrix> influence(result.influence.data(), nodes, static_cast<Eigen::Index>(result.groups));
    influence += functions.solved.transpose() * part.influence;
    for (std::size_t k = 0; k < functions.pairs.size(); ++k) {
      const double coefficient = part.coefficients(static_cast<Eigen::Index>(k));
      const LagCorrelation& pair = functions.pairs[k];
      for (std::size_t node = 0; node < result.value.size(); ++node)
        result.value[node] += coefficient * pair.value[node];
      for (std::size_t n = 0; n < result.influence.size(); ++n) result.influence[n] += coefficient * pair.influence[n];
    }
    return result;
  }

  const Signals& signals;
  const Correlations& correlations;
  ConjugateGroup basis;
  MatrixXd total;
  std::vector<Estimated> covariances;    ///< rows of G
  MatrixXd inverse;                      ///< of G
  std::map<int, Missing> missings;       ///< by earlier row
  std::map<int, OfFunctions> responses;  ///< by later row
};

Responses::Responses(const Signals& signals, const Correlations& correlations) : correlations_(correlations) {
  if (signals.basis()) correction_ = std::make_unique<Correction>(signals, correlations);
}

Responses::~Responses() = default;

LagCorrelation Responses::between(int later, const ConjugateGroup& group, std::size_t i) const {
  if (correction_) return correction_->corrected(later, group, i);
  return correlations_.between(later, group.first_row + 1 + static_cast<int>(i), group.first_row);
}

}  // namespace gfdt::jacobian

#include "gfdt/calibrate/identifiability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/step.hpp"
#include "gfdt/calibrate/weights.hpp"
#include "gfdt/core/symmetric_eigen.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Components below this share of the largest are not spoken of.
constexpr double worth_naming = 0.3;

/// Changes of η that count as 1.
VectorXd relative_scale(const std::vector<double>& at, const LinearModel& model) {
  const VectorXd norms = trust_scale(model);
  VectorXd scale(model.parameters());
  for (Index j = 0; j < scale.size(); ++j) {
    const double value = std::abs(at[static_cast<std::size_t>(j)]);
    const double slope = std::abs(model.slope(j));  // 0 on a bound
    scale(j) = value > 0 && slope > 0 ? value / slope : norms(j) > 0 ? 1 / norms(j) : 1;
  }
  return scale;
}

std::string words_of(const Problem& problem, const VectorXd& direction, double error, bool hidden) {
  std::vector<std::string> names, ratios;
  for (Index j = 0; j < direction.size(); ++j)
    if (!(std::abs(direction(j)) < worth_naming)) {  // what is not a number is named
      names.push_back(problem.parameters[static_cast<std::size_t>(j)].name);
      ratios.push_back(fmt::format("{:+.2g}", direction(j)));
    }
  const std::string size = std::isfinite(error) && error < 100 ? fmt::format("known to {:.0f} % only", 100 * error)
                                                               : std::string("not known at all");
  const std::string doubt =
      hidden ? ", and not even that is sure: the Jacobian's own error is as large as what it says of it" : "";
  if (names.size() == 1)
    return fmt::format("{} is hardly seen by these observables: it is {}{}.", names[0], size, doubt);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {} cannot be told apart by these observables: their change in the ratio {} is {}{}.",
                     fmt::join(names, ", "), last, fmt::join(ratios, " : "), size, doubt);
}

}  // namespace

Identifiability identifiability(const Problem& problem, const std::vector<double>& at, const LinearModel& model) {
  const VectorXd scale = relative_scale(at, model);
  const MatrixXd precision = noise_weights(model.noise, model.noise_freedom);
  const MatrixXd relative = model.jacobian * scale.asDiagonal();
  const MatrixXd relative_error = model.jacobian_error * scale.asDiagonal();
  MatrixXd information = relative.transpose() * precision * relative;
  Identifiability result;
  const VectorXd squares = symmetric_eigenvalues(information);
  for (Index i = squares.size(); i-- > 0;) result.singular_values.push_back(std::sqrt(std::max(0.0, squares(i))));
  const VectorXd of_priors = model.prior_precision.cwiseProduct(scale.cwiseAbs2());
  information.diagonal() += of_priors;
  const SymmetricEigen eigen = symmetric_eigen(information);
  for (Index i = 0; i < eigen.values.size(); ++i) {
    const VectorXd vector = eigen.vectors.col(i);
    const double known = eigen.values(i);
    const double error = known > 0 ? 1 / std::sqrt(known) : std::numeric_limits<double>::infinity();
    // What the errors of S alone would make of a direction that does nothing.
    const VectorXd spread = relative_error.cwiseAbs2() * vector.cwiseAbs2();
    const double of_errors = precision.diagonal().dot(spread), from_priors = vector.cwiseAbs2().dot(of_priors);
    const bool hidden = std::max(known - from_priors, from_priors) < of_errors;
    if (error <= weak_error && !hidden) continue;
    Index largest = 0;
    vector.cwiseAbs().maxCoeff(&largest);
    const VectorXd direction = vector / vector(largest);
    result.weak.push_back({values_of(direction), error, words_of(problem, direction, error, hidden)});
  }
  return result;
}

}  // namespace gfdt::calibrate

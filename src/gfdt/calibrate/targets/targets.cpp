#include "gfdt/calibrate/targets/targets.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <set>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::calibrate {

double Targets::standard_error(std::size_t i) const { return std::sqrt(covariance[i * size() + i]); }

std::string Targets::problem() const {
  if (value.empty()) return "There are no targets: list the statistics that the model should have in [targets].";
  if (observables.size() != size() || covariance.size() != size() * size())
    return fmt::format("{} targets have {} names and a covariance of {} numbers.", size(), observables.size(),
                       covariance.size());
  if (std::set<std::string>(observables.begin(), observables.end()).size() != size())
    return "An observable has two targets.";
  for (std::size_t i = 0; i < size(); ++i) {
    if (!std::isfinite(value[i])) return fmt::format("The target of '{}' is not a number.", observables[i]);
    for (std::size_t j = 0; j < size(); ++j) {
      const double entry = covariance[i * size() + j], other = covariance[j * size() + i];
      if (!std::isfinite(entry)) return "The covariance of the targets has an entry that is not a number.";
      if (std::abs(entry - other) > 1e-9 * std::max(std::abs(entry), std::abs(other)))
        return fmt::format("The covariance of the targets is not symmetric: {:g} and {:g} for '{}' and '{}'.", entry,
                           other, observables[i], observables[j]);
    }
    if (!(covariance[i * size() + i] > 0))
      return fmt::format("The variance of the target of '{}' is {:g}; it must be positive.", observables[i],
                         covariance[i * size() + i]);
  }
  const auto n = static_cast<Eigen::Index>(size());
  const Eigen::Map<const Eigen::MatrixXd> matrix(covariance.data(), n, n);
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(scale.asDiagonal() * matrix * scale.asDiagonal());
  constexpr double smallest = 1e-12;  // for a correlation matrix
  if (eigenvalues(0) < smallest)
    return fmt::format(
        "The covariance of the targets is not positive definite: the smallest eigenvalue of their correlations is "
        "{:.2g}. Two targets may be the same thing, or an entry may have the wrong sign.",
        eigenvalues(0));
  return {};
}

}  // namespace gfdt::calibrate

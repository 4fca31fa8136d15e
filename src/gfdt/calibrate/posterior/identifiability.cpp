#include "gfdt/calibrate/posterior/identifiability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/calibrate/search/directions.hpp"
#include "gfdt/calibrate/targets/weights.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Components below this share of the largest one are not named.
constexpr double worth_naming = 0.3;
/// A direction is weak if its standard error is at least this many times the size of the parameters. That size is no
/// less than the change that moves a statistic by one standard deviation of its observable: a mean of 0.00 ± 0.16 is
/// well known in a series with a standard deviation of 1.
constexpr double weak_error = 1;

std::string joined(std::vector<std::string> names) {
  if (names.size() == 1) return names[0];
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string words_of(const Problem& problem, const std::vector<double>& at, const VectorXd& direction,
                     const Direction& found, const LinearModel& model) {
  std::vector<std::string> names, ratios;
  Index named = 0;
  for (Index j = 0; j < direction.size(); ++j)
    if (!(std::abs(direction(j)) < worth_naming)) {  // NaN is named, too
      names.push_back(problem.parameters[static_cast<std::size_t>(j)].name);
      ratios.push_back(fmt::format("{:+.2g}", direction(j)));
      named = j;
    }
  const bool one = names.size() == 1;
  const std::string which = joined(names);
  switch (found.knowledge) {
    case Knowledge::undetermined:
      return one ? fmt::format("{} is not determined by these statistics: it stays near its guess.", which)
                 : fmt::format(
                       "{} are not separately identifiable from these statistics: changes in the ratio {} (relative to "
                       "their size) "
                       "have no effect, and stay near the guess.",
                       which, fmt::join(ratios, " : "));
    case Knowledge::unresolved:
      return fmt::format(
          "Whether these statistics determine {} is not known: the standard errors of the Jacobian are "
          "as large as the effect{}. A longer run (simulation.length) tells.",
          which, one ? "" : fmt::format(" of changes in the ratio {}", fmt::join(ratios, " : ")));
    case Knowledge::determined:
      break;
  }
  if (!one)
    return fmt::format(
        "{} are constrained mainly in combination: changes in the ratio {} (relative to their size) are "
        "known to ±{:.2g} only.",
        which, fmt::join(ratios, " : "), found.posterior_error);
  return fmt::format("{} is weakly constrained by these statistics: {:.3g} ± {:.2g}.", which,
                     at[static_cast<std::size_t>(named)],
                     std::abs(model.slope(named) * found.change(named)) * found.posterior_error);
}

}  // namespace

Identifiability identifiability(const Problem& problem, const std::vector<double>& at, const LinearModel& model) {
  const VectorXd scale = parameter_scale(model), sizes = parameter_sizes(model), norms = trust_scale(model);
  const MatrixXd relative = model.jacobian * scale.asDiagonal();
  const MatrixXd precision = noise_weights(model.noise, model.noise_freedom);
  Identifiability result;
  const VectorXd squares = symmetric_eigenvalues(relative.transpose() * precision * relative);
  for (Index i = squares.size(); i-- > 0;) result.singular_values.push_back(std::sqrt(std::max(0.0, squares(i))));
  for (const Direction& direction : directions_of(model)) {
    // The largest change of a parameter, in units of its size or of the change that moves a statistic noticeably.
    double size = 0;
    for (Index j = 0; j < scale.size(); ++j)
      size = std::max(size, std::abs(direction.change(j)) * std::min(1 / sizes(j), norms(j)));
    if (direction.knowledge == Knowledge::determined && size * direction.posterior_error <= weak_error) continue;
    const VectorXd components = direction.change.cwiseQuotient(sizes);
    Index largest = 0;
    components.cwiseAbs().maxCoeff(&largest);
    const VectorXd shown = components / components(largest);
    const double error = direction.knowledge == Knowledge::determined ? direction.posterior_error
                                                                      : std::numeric_limits<double>::infinity();
    result.weak.push_back({values_of(shown), error, words_of(problem, at, shown, direction, model)});
  }
  return result;
}

}  // namespace gfdt::calibrate

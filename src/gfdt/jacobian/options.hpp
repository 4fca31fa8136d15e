#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::jacobian {

enum class Method {
  automatic,          ///< each column by the most suitable method
  gfdt,               ///< the correlation integral with the score
  control_variate,    ///< the leading term from Poisson's equation only
  finite_difference,  ///< central differences of perturbed runs with common random numbers
  likelihood_ratio,   ///< correlations with the noise that drove the run
};

const std::vector<std::string>& method_names();
const char* name(Method method);
std::optional<Method> method_named(const std::string& name);

/// The response to a step is averaged over times from `start` to `end` after the step.
struct Window {
  double start = 0;
  double end = 0;
};

/// Options of a Jacobian estimate. Options that are not set are chosen from the data.
struct Options {
  Method method = Method::automatic;
  std::optional<double> accuracy = {};  ///< relative error of columns that `automatic` has to reach
  /// Whether a control variate reduces the variance of statistics and, with the correlation methods, of responses. If
  /// not set: of statistics, and of responses if `automatic` finds that it helps.
  std::optional<bool> control_variate = {};
  std::optional<Window> window = {};
  std::optional<std::size_t> samples = {};  ///< approximate upper limit of the states at which the score is evaluated
  bool cross_fit = true;                    ///< whether a fitted score comes from the other half of the members
  /// Whether the errors of conjugates are corrected by projection on polynomials (responses.hpp). If not set: yes,
  /// unless the score is the quasi-Gaussian one.
  std::optional<bool> correction = {};

  std::map<std::string, double> steps = {};  ///< steps of finite differences, by parameter
  std::optional<double> relative_step =
      {};  ///< h = relative_step·max(|θ|, 1) for parameters without a step of their own

  /// A sentence that describes what is invalid in these options; empty if they are valid.
  std::string problem() const;
};

}  // namespace gfdt::jacobian

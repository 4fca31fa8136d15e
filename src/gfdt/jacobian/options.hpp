#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::jacobian {

enum class Method {
  automatic,          ///< each column by the method that suits it
  gfdt,               ///< the correlation integral with the score
  control_variate,    ///< the leading term of Poisson's equation, and no more
  finite_difference,  ///< central differences of perturbed runs with common random numbers
  likelihood_ratio,   ///< correlations with the noise that drove the run
};

const std::vector<std::string>& method_names();
const char* name(Method method);
std::optional<Method> method_named(const std::string& name);

/// The response to a step is averaged over times from `start` to `end` after it.
struct Window {
  double start = 0;
  double end = 0;
};

/// How a Jacobian is estimated. What is left out is chosen from the data.
struct Options {
  Method method = Method::automatic;
  std::optional<double> accuracy = {};  ///< of columns, of their size, that `automatic` is to reach
  /// Whether a control variate takes noise off statistics and, with the methods that correlate, off responses. Left
  /// out: off statistics, and off responses where `automatic` finds that it helps.
  std::optional<bool> control_variate = {};
  std::optional<Window> window = {};
  std::optional<std::size_t> samples = {};  ///< states at which the score is evaluated, at most about
  bool cross_fit = true;                    ///< whether a fitted score is that of the other half of the members
  /// Whether the errors of conjugates are taken off as far as polynomials tell (responses.hpp); left out: unless the
  /// score is the quasi-Gaussian one.
  std::optional<bool> correction = {};

  std::map<std::string, double> steps = {};  ///< of finite differences, by parameter
  std::optional<double> relative_step =
      {};  ///< h = relative_step·max(|θ|, 1) for parameters without a step of their own

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

}  // namespace gfdt::jacobian

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gfdt::report {

/// How one method came to its answer.
struct ConvergenceSeries {
  std::string method;
  std::vector<double> step;                     ///< number of the step, at each point
  std::vector<double> mismatch;                 ///< norm
  std::vector<std::vector<double>> statistics;  ///< [statistic][point], deviation from the target
  std::vector<std::vector<double>> parameters;  ///< [parameter][point], deviation from where it should be
};

struct Convergence {
  std::string title;
  std::vector<std::string> statistics, parameters;  ///< names
  std::string parameters_from;                      ///< where they should be: "the true values"
  std::optional<double> noise;                      ///< norm of a mismatch that is nothing but noise
  std::vector<ConvergenceSeries> methods;           ///< a colour each
};

/// Deviations in units of the first, ±1 there; empty where the first is 0 or not a number.
std::vector<double> rescaled(const std::vector<double>& deviations);

/// One self-contained SVG: to the left the norm of the mismatch on a logarithmic scale, to the right the rescaled
/// deviations of statistics and parameters, cut at ±2. Readable on light and dark grounds.
std::string convergence_svg(const Convergence& convergence);

}  // namespace gfdt::report

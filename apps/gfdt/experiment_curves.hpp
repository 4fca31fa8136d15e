#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment_table.hpp"

namespace gfdt::app {

/// An estimate and the exact curve at the same points.
struct CurvePanel {
  std::string title;
  std::string across;  ///< label of x
  std::vector<double> x;
  std::vector<double> exact;
  std::vector<double> estimate;
  std::vector<double> estimate_error;  ///< one standard error
};

/// Estimated curves beside the exact ones.
struct ExperimentCurves {
  std::string title;
  std::string across;    ///< label of x, one word
  std::string estimate;  ///< label of the estimates
  std::vector<CurvePanel> panels;
};

/// For `ou`, responses to a step of each parameter, R(t) = S (1 − e^{−2αt}); for `quartic`, the statistics as functions
/// of alpha3, with tangents from the Jacobian. Empty for the other experiments, or if nothing was estimated with a
/// score.
std::optional<ExperimentCurves> experiment_curves(const Comparison& comparison);

void print_curves(std::FILE* file, const ExperimentCurves& curves);
nlohmann::ordered_json to_json(const ExperimentCurves& curves);

}  // namespace gfdt::app

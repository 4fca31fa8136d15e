#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment_table.hpp"

namespace gfdt::app {

/// An estimate beside the exact curve, at the same points.
struct CurvePanel {
  std::string title;
  std::string across;  ///< what x is
  std::vector<double> x;
  std::vector<double> exact;
  std::vector<double> estimate;
  std::vector<double> estimate_error;  ///< one standard error
};

/// Estimated curves beside the exact ones.
struct ExperimentCurves {
  std::string title;
  std::string across;    ///< what x is, in a word
  std::string estimate;  ///< what the estimates are
  std::vector<CurvePanel> panels;
};

/// Of `ou`, responses to a step of each parameter, R(t) = S (1 − e^{−2αt}); of `quartic`, the statistics as functions
/// of alpha3, with the tangents that the Jacobian gives. Nothing for the other experiments, or where nothing was
/// estimated with a score.
std::optional<ExperimentCurves> experiment_curves(const Comparison& comparison);

void print_curves(std::FILE* file, const ExperimentCurves& curves);
nlohmann::ordered_json to_json(const ExperimentCurves& curves);

}  // namespace gfdt::app

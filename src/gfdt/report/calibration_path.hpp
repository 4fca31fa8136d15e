#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// The way of a calibration to its answer. Steps that were taken back are left out.
struct CalibrationPath {
  struct Point {
    double step, spent;               ///< number of the evaluation; simulated time so far
    double mismatch, mismatch_error;  ///< from these targets: the error is that of the simulation
    std::vector<double> statistics, statistics_error;
    std::vector<double> residual;        ///< from the targets
    std::vector<double> residual_error;  ///< of targets and simulation together
    std::vector<double> parameters;
  };
  std::string name;
  std::vector<Point> points;
  std::vector<double> parameters_error;  ///< of the last point; empty where they are not known
  double noise = 0;                      ///< ‖r‖ that noise alone makes at the last point, NaN where unknown
};

CalibrationPath path_of(const CalibrationDocuments& calibration);

/// What the parameters are measured from: true ones, where they are known, or the answer of the first method.
struct ParameterReference {
  std::string words;
  std::vector<double> values;
};
ParameterReference reference_of(const RunDocuments& run, const std::vector<std::string>& parameters);

/// Names of the free parameters and of the targets of a run's calibrations.
std::vector<std::string> free_parameters(const RunDocuments& run);
std::vector<std::string> target_names(const RunDocuments& run);

/// Standard errors of the targets.
std::vector<double> target_errors(const Json& targets);

}  // namespace gfdt::report

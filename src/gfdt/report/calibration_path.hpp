#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// The evaluations of a calibration up to its answer. Rejected steps are left out.
struct CalibrationPath {
  struct Point {
    double step, spent;               ///< number of the evaluation; simulated time so far
    double mismatch, mismatch_error;  ///< norm, with the standard error of the simulation
    std::vector<double> statistics, statistics_error;
    std::vector<double> residual;        ///< from the targets
    std::vector<double> residual_error;  ///< of targets and simulation together
    std::vector<double> parameters;
  };
  std::string name;
  std::vector<Point> points;
  std::vector<double> parameters_error;  ///< of the last point; empty if they are not known
  double noise = 0;                      ///< expected ‖r‖ of noise alone at the last point, NaN if it is not known
};

CalibrationPath path_of(const CalibrationDocuments& calibration);

/// Values that parameters are compared with: the true ones if they are known, else the answer of the first method.
struct ParameterReference {
  std::string words;
  std::vector<double> values;
};
ParameterReference reference_of(const RunDocuments& run, const std::vector<std::string>& parameters);

/// The parameters that the search began with; null if there was no iteration.
const Json& guess_of(const Json& result);

/// Names of the free parameters and of the targets of a run's calibrations.
std::vector<std::string> free_parameters(const RunDocuments& run);
std::vector<std::string> target_names(const RunDocuments& run);

/// Standard errors of the targets.
std::vector<double> target_errors(const Json& targets);

}  // namespace gfdt::report

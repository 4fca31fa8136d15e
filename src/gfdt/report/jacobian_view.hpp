#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// A Jacobian from any of the documents.
struct JacobianView {
  std::string name;  ///< for legends and tables: the method, "calibrated model", or "estimate" if there is only one
  std::vector<std::string> observables, parameters;
  std::vector<std::vector<double>> value, error, score_error;  ///< [observable][parameter]
  std::vector<std::string> methods;                            ///< of each column
  std::vector<std::string> remarks;                            ///< on each column
  std::optional<std::pair<double, double>> window;
  Json step_response, score, findings;  ///< null if missing
  Json statistics;                      ///< an object with the keys of statistics
  double simulated_time, wall_seconds;
};

/// Those of a run: of jacobian.json, reproduce.json or, of each calibration, that of its last step.
std::vector<JacobianView> jacobians_of(const RunDocuments& run);

/// Exact or independent values of the entries; empty if there are none.
struct KnownJacobian {
  std::string source;
  std::vector<std::vector<double>> value, error;
};
KnownJacobian known_jacobian(const RunDocuments& run);

}  // namespace gfdt::report

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// One calibration of a run.
struct CalibrationDocuments {
  std::string name;  ///< of the method
  Json result;       ///< result.json, or progress.json of a calibration that has not finished
  Json predictive;   ///< null if missing
  bool finished = true;
};

/// The documents of a folder. Missing ones are null.
struct RunDocuments {
  std::vector<CalibrationDocuments> calibrations;
  Json jacobian, reproduction, score, response, simulation;
  std::vector<std::string> remarks;  ///< shown above the results

  bool empty() const;
  /// Version, command, seed and machine of the run.
  const Json& provenance() const;
};

/// Throws Error with advice for a folder that is missing, empty, not of gfdt, truncated or written by a newer version.
RunDocuments read_run_documents(const std::filesystem::path& folder);

}  // namespace gfdt::report

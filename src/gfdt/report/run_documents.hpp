#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// One calibration of a run.
struct CalibrationDocuments {
  std::string name;  ///< of the method
  Json result;       ///< result.json, or progress.json of one that has not come to its end
  Json predictive;   ///< null where there is none
  bool finished = true;
};

/// What a folder holds, as it was read. Documents that are not there are null.
struct RunDocuments {
  std::vector<CalibrationDocuments> calibrations;
  Json jacobian, reproduction, score, response, simulation;
  std::vector<std::string> remarks;  ///< what a reader of the page should know of the folder

  bool empty() const;
  /// Where, when and by what it was made.
  const Json& provenance() const;
};

/// Throws Error, saying what to do, for a folder that is missing, empty, not of gfdt, half written or written by a
/// newer version.
RunDocuments read_run_documents(const std::filesystem::path& folder);

}  // namespace gfdt::report

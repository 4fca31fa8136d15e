#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gfdt/api/calibration_task.hpp"

namespace gfdt::api {

/// Files in the folder of a calibration in addition to those of results::RunFolder.
inline constexpr const char* calibration_name = "result.json";
inline constexpr const char* progress_name = "progress.json";
inline constexpr const char* predictive_name = "predictive.json";

/// Removes the files of an earlier calibration from a folder, and no others.
void clear_run(const std::filesystem::path& folder);

/// A calibration with its documents.
struct KeptCalibration {
  calibrate::Calibration calibration;
  nlohmann::ordered_json document;    ///< the document of `gfdt calibrate --json`
  nlohmann::ordered_json predictive;  ///< posterior predictive check; null if not available
  std::string no_predictive;          ///< reason if it is not available, as a sentence; empty if it was not requested
};

/// Called after each iteration with the calibration so far and its document.
using KeptObserver = std::function<void(const calibrate::Calibration& so_far, const nlohmann::ordered_json& document)>;

/// Runs a calibration. If a folder is given, progress is stored in it after every iteration, and the result and the
/// posterior predictive check at the end.
KeptCalibration calibrate_and_keep(const CalibrationTask& task, const results::RunFolder* folder,
                                   const std::string& command_line, const simulate::Control& control,
                                   const KeptObserver& observer = {});

}  // namespace gfdt::api

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gfdt/api/calibration_task.hpp"

namespace gfdt::api {

/// Files in the folder of a calibration beside those of results::RunFolder.
inline constexpr const char* calibration_name = "result.json";
inline constexpr const char* progress_name = "progress.json";
inline constexpr const char* predictive_name = "predictive.json";

/// Takes away what an earlier calibration has left in a folder, and nothing else.
void clear_run(const std::filesystem::path& folder);

/// A calibration with its documents.
struct KeptCalibration {
  calibrate::Calibration calibration;
  nlohmann::ordered_json document;    ///< as `gfdt calibrate --json` writes it
  nlohmann::ordered_json predictive;  ///< what the answer foretells; null where there is nothing
  std::string no_predictive;          ///< why not, in a sentence; empty where it was not wanted
};

/// Called after each iteration, with all so far and its document.
using KeptObserver = std::function<void(const calibrate::Calibration& so_far, const nlohmann::ordered_json& document)>;

/// Runs a calibration. Where there is a folder everything is kept there: how far it has come after every iteration, and
/// when it has come to its end the result and what it foretells.
KeptCalibration calibrate_and_keep(const CalibrationTask& task, const results::RunFolder* folder,
                                   const std::string& command_line, const simulate::Control& control,
                                   const KeptObserver& observer = {});

}  // namespace gfdt::api

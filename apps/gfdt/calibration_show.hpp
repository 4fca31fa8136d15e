#pragma once

#include <nlohmann/json_fwd.hpp>

#include "command.hpp"
#include "gfdt/api/calibration_task.hpp"

namespace gfdt::app {

/// Runs one method and prints its steps and its result; `document` receives the JSON. If a folder is given, everything
/// is stored in it (api/kept_calibration.hpp).
calibrate::Calibration calibrate_and_show(const api::CalibrationTask& task, const results::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document);

}  // namespace gfdt::app

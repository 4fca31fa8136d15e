#pragma once

#include <nlohmann/json_fwd.hpp>

#include "command.hpp"
#include "gfdt/api/calibration_task.hpp"

namespace gfdt::app {

/// Runs one method and shows its steps and its answer; `document` becomes its JSON. Where there is a folder, everything
/// is kept there (api/kept_calibration.hpp).
calibrate::Calibration calibrate_and_show(const api::CalibrationTask& task, const results::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document);

}  // namespace gfdt::app

#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"
#include "gfdt/io/toml_table.hpp"
#include "gfdt/model/model.hpp"

namespace gfdt::io {

/// What [calibration] says.
struct CalibrationTable {
  calibrate::Options options;
  std::vector<std::string> free;  ///< all parameters when empty
  std::map<std::string, calibrate::Prior> priors;
};

/// The keys of [calibration].
const std::vector<std::string>& calibration_keys();

/// Reads [calibration]; throws InputError at the key that makes the options impossible, or at the name of what is not a
/// parameter of the model.
CalibrationTable read_calibration(const TomlEntry& section, const model::Model& model);

}  // namespace gfdt::io

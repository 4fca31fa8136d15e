#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// What [calibration] says.
struct CalibrationTable {
  calibrate::Options options;
  std::vector<std::string> free;  ///< all parameters when empty
  std::map<std::string, calibrate::Prior> priors;

  /// What is wrong with the options, as a sentence; empty when nothing is.
  std::string problem() const { return options.problem(); }
};

/// [calibration] and an entry of [calibration.priors] in the reference.
const SectionText& calibration_section();
const SectionText& prior_section();

/// Reads [calibration]; throws InputError at the key that makes the options impossible, or at the name of what is not a
/// parameter of the model.
CalibrationTable read_calibration(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

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

/// The contents of [calibration].
struct CalibrationTable {
  calibrate::Options options;
  std::vector<std::string> free;  ///< names of the parameters to calibrate; empty: all
  std::map<std::string, calibrate::Prior> priors;

  /// A sentence that describes the first error in the options; empty if there is none.
  std::string problem() const { return options.problem(); }
};

/// The reference of [calibration] and of an entry of [calibration.priors].
const SectionText& calibration_section();
const SectionText& prior_section();

/// Reads [calibration]. Throws InputError at the key that makes the options invalid, or at a name that is not a
/// parameter of the model.
CalibrationTable read_calibration(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

#pragma once

#include <string>
#include <vector>

#include "gfdt/report/pair_plot.hpp"

namespace gfdt::report {

/// A parameter before and after a calibration.
struct ParameterChange {
  std::string name;
  double guess, answer, error;
  double relative_error;  ///< of the larger of guess and answer; NaN if the parameter is not determined
  double change;          ///< in standard errors
};

std::vector<ParameterChange> parameter_changes(const CalibrationDocuments& calibration,
                                               const std::vector<std::string>& names);

/// Guess, answers with standard errors, 95 % intervals and true values as far as they are known. Of a single
/// calibration with more than `most_paired` parameters also their relative errors and changes.
Table parameter_table(const RunDocuments& run, const std::vector<std::string>& names);

/// Relative standard errors and changes, sorted, for more parameters than pairs can be drawn of.
Figure parameter_dots(const CalibrationDocuments& calibration, const std::vector<std::string>& names);

}  // namespace gfdt::report

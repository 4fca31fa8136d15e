#pragma once

#include <string>
#include <vector>

#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// The results of a run: one per calibration, else that of its main document.
std::vector<Verdict> verdicts_of(const RunDocuments& run);

/// Whether the search ended as it should, whether the model fits the targets, and what limits the answer. `whose`
/// begins the sentence if there are several calibrations: "Kgmm: ".
Verdict calibration_verdict(const CalibrationDocuments& calibration, const std::string& whose);

}  // namespace gfdt::report

#pragma once

#include <string>
#include <vector>

#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// A method in words: "KGMM score" for `kgmm`, "automatic choice" for `auto`; names that are not known as they are.
std::string method_label(const std::string& name);

/// What legends and tables call each calibration of a run: "calibrated model", or the method by the name
/// that the user gave it if there are several.
std::vector<std::string> calibration_labels(const RunDocuments& run);

/// "Kgmm: ", for sentences about the n-th of several calibrations; empty if there is only one.
std::string calibration_prefix(const RunDocuments& run, std::size_t n);

inline constexpr const char* guess_label = "first guess";

/// Colours of the style sheet that mean the same everywhere; those of models are `curve_colour`.
inline constexpr const char *data_colour = "ink", *guess_colour = "muted";

}  // namespace gfdt::report

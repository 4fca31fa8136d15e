#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/report/jacobian_view.hpp"
#include "gfdt/report/page.hpp"
#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// Panels of a figure at most; of more, those that matter most are drawn, and the table holds all.
inline constexpr std::size_t most_panels = 36;

// Sections of a page. Each is omitted if the documents contain nothing about it.

/// Mismatch, statistics and parameters during the search.
std::optional<Section> convergence_section(const RunDocuments& run);
/// Whether parameters, targets and posterior are so few that they fit side by side on one screen; the section of the
/// posterior then shows the deviations from the targets as well.
bool has_overview(const RunDocuments& run);
/// Statistics of the calibrated model beside their targets; folded, every term of the objective.
std::optional<Section> objective_section(const RunDocuments& run);
/// Answers with errors, their posterior, and parameters that are not identifiable.
std::optional<Section> posterior_section(const RunDocuments& run);
/// Posterior predictive check: densities and autocorrelations beside those of the record.
std::optional<Section> density_section(const RunDocuments& run);
/// Entries with errors, side by side and as a heat map.
std::optional<Section> jacobian_section(const RunDocuments& run);
/// Responses to a step of each parameter, and the averaging window.
std::optional<Section> step_response_section(const RunDocuments& run);
/// Kernels and responses to a forcing, of `gfdt response`.
std::optional<Section> response_section(const RunDocuments& run);
/// The score and its certificate.
std::optional<Section> certificate_section(const RunDocuments& run);
/// Comparison of an experiment with exact results and with the paper.
std::optional<Section> experiment_section(const RunDocuments& run);
/// Averages of `gfdt simulate`.
std::optional<Section> simulation_section(const RunDocuments& run);
std::optional<Section> cost_section(const RunDocuments& run);
std::optional<Section> provenance_section(const RunDocuments& run);

/// Whether a control variate reduced the variance of some average of a document.
bool has_plain_statistics(const Json& document);
/// The m-th average without it; empty if there is no difference.
std::string plain_average(const Json& document, std::size_t m);

}  // namespace gfdt::report

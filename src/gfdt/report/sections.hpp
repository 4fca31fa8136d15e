#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/report/jacobian_view.hpp"
#include "gfdt/report/page.hpp"
#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// Panels that a figure has at most; of more those are shown that matter most, and the table holds all.
inline constexpr std::size_t most_panels = 36;

// Parts of a page. Each is left out where the documents say nothing of it.

/// The way of each method to its answer: mismatch, statistics, parameters.
std::optional<Section> convergence_section(const RunDocuments& run);
/// Every term of the objective at the answer.
std::optional<Section> objective_section(const RunDocuments& run);
/// What is known of the parameters: errors, covariance, what cannot be told apart.
std::optional<Section> posterior_section(const RunDocuments& run);
/// Densities and correlations that the calibrated model foretells, beside the record.
std::optional<Section> density_section(const RunDocuments& run);
/// Entries with errors, side by side and as a heat map.
std::optional<Section> jacobian_section(const RunDocuments& run);
/// Responses to a step of each parameter, and the window that they are averaged over.
std::optional<Section> step_response_section(const RunDocuments& run);
/// Kernels and responses to a forcing, of `gfdt response`.
std::optional<Section> response_section(const RunDocuments& run);
/// Whether the score can be trusted.
std::optional<Section> certificate_section(const RunDocuments& run);
/// Curves of an experiment beside the exact ones, and what the paper printed.
std::optional<Section> experiment_section(const RunDocuments& run);
/// Averages of `gfdt simulate`.
std::optional<Section> simulation_section(const RunDocuments& run);
std::optional<Section> cost_section(const RunDocuments& run);
std::optional<Section> provenance_section(const RunDocuments& run);

/// Whether a control variate took noise off some average of a document.
bool has_plain_statistics(const Json& document);
/// What the m-th was without; empty where that is what it is.
std::string plain_average(const Json& document, std::size_t m);

/// The diagnostics of a run as a document holds them.
Checks checks_of(const Json& diagnostics);

}  // namespace gfdt::report

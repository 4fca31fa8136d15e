#pragma once

#include <filesystem>

#include "gfdt/report/page.hpp"
#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

inline constexpr const char* page_name = "report.html";

/// The page of a run: a pure function of its documents.
Page page_of(const RunDocuments& run);

/// Makes the page of the run in a folder and writes it, into the folder where no file is given. Returns where it is.
/// Throws Error for a folder that there is no page of, see read_run_documents.
std::filesystem::path write_report(const std::filesystem::path& folder, const std::filesystem::path& file = {});

}  // namespace gfdt::report

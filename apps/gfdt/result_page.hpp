#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command.hpp"

namespace gfdt::app {

/// Writes the report page of a run folder and prints its path, unless --no-report. A failure is reported in one line on
/// standard error and does not affect the result.
void write_page(const CommonOptions& common, const std::filesystem::path& folder);

/// The same for a result that has been written where --out asks for it; without --out it is kept as `name` in the
/// folder `otherwise` of the working folder, beside its page.
void write_page(const CommonOptions& common, const nlohmann::ordered_json& result, const std::string& name,
                const std::filesystem::path& otherwise);

/// `NAME-what` for NAME.toml.
std::filesystem::path folder_beside(const std::string& problem_file, const std::string& what);

}  // namespace gfdt::app

#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command.hpp"

namespace gfdt::app {

/// Makes the page of the run in a folder and says where it is, unless --no-report. A page that cannot be made is a line
/// on standard error: it never costs a result.
void write_page(const CommonOptions& common, const std::filesystem::path& folder);

/// The same for a result that has been written where --out asks for it; without --out it is kept as `name` in the
/// folder `otherwise` of the working folder, beside its page.
void write_page(const CommonOptions& common, const nlohmann::ordered_json& result, const std::string& name,
                const std::filesystem::path& otherwise);

/// `NAME-what` for NAME.toml.
std::filesystem::path folder_beside(const std::string& problem_file, const std::string& what);

}  // namespace gfdt::app

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gfdt/problem/problem.hpp"

namespace gfdt::results {

/// Everything that decides the bits of a calibration: version, texts, overrides, the run, methods, the back end and
/// its compiler. The number of threads does not. `extra` are further entries, of options that stand in no file.
nlohmann::ordered_json run_identity(const problem::Problem& problem, const nlohmann::ordered_json& extra = {});

/// 16 digits that stand for an identity.
std::string identity_hash(const nlohmann::ordered_json& identity);

/// The first thing in which two identities differ, as the end of a sentence about the one kept; empty when they agree.
std::string identity_difference(const nlohmann::ordered_json& kept, const nlohmann::ordered_json& asked);

}  // namespace gfdt::results

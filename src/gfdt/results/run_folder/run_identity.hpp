#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gfdt/problem/problem.hpp"

namespace gfdt::results {

/// Everything that determines the results of a calibration bit by bit: version, texts, overrides, run options, methods,
/// back end and compiler. The number of threads has no influence. `extra` contains additional entries for options that
/// are not in a file.
nlohmann::ordered_json run_identity(const problem::Problem& problem, const nlohmann::ordered_json& extra = {});

/// A 16-digit hash of an identity.
std::string identity_hash(const nlohmann::ordered_json& identity);

/// The first difference between two identities, as the end of a sentence about the stored one; empty if they are equal.
std::string identity_difference(const nlohmann::ordered_json& kept, const nlohmann::ordered_json& asked);

}  // namespace gfdt::results

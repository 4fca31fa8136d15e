#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gfdt/problem/problem.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::io {
struct Provenance;
}

namespace gfdt::api {

/// The document of `gfdt simulate --json`.
nlohmann::ordered_json document_of(const statistics::EnsembleStatistics& result, const problem::Problem& problem,
                                   const data::Provenance& provenance);

}  // namespace gfdt::api

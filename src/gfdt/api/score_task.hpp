#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "gfdt/problem/problem.hpp"
#include "gfdt/score/certificate/certificate.hpp"
#include "gfdt/score/selection/fit_score.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::io {
struct Provenance;
}

namespace gfdt::api {

/// A score of a problem's model: the run and the fit, and the certificate on samples of a second run.
struct ScoreResult {
  statistics::EnsembleStatistics run;
  score::ScoreFit fit;  ///< valid if the run is usable
  std::size_t samples = 0;
  simulate::Summary second;        ///< zero simulated time if the score is exact
  score::Certificate certificate;  ///< valid if the fit is usable
};

/// `method`: overrides that of the problem; `start`: a score from which training starts, or null. Throws Error for
/// invalid input.
ScoreResult fit_and_certify(const problem::Problem& problem, std::optional<score::Method> method,
                            const score::Field* start, const simulate::Control& control);

/// The document of `gfdt score --json`.
nlohmann::ordered_json document_of(const ScoreResult& result, const problem::Problem& problem,
                                   const data::Provenance& provenance);

/// The text of a score file.
std::string score_text(const ScoreResult& result, const problem::Problem& problem, const data::Provenance& provenance);

}  // namespace gfdt::api

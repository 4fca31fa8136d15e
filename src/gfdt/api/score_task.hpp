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

/// A score of a problem's model: the run that it was fitted on, the fit, and its certificate on samples of a second
/// run.
struct ScoreResult {
  statistics::EnsembleStatistics run;
  score::ScoreFit fit;  ///< there where the run is usable
  std::size_t samples = 0;
  simulate::Summary second;        ///< no time where the score is exact
  score::Certificate certificate;  ///< there where the fit is usable
};

/// `method`: instead of the problem's; `start`: a score that training begins at, or null. Throws Error for what makes
/// no sense.
ScoreResult fit_and_certify(const problem::Problem& problem, std::optional<score::Method> method,
                            const score::Field* start, const simulate::Control& control);

/// As `gfdt score --json` writes it.
nlohmann::ordered_json document_of(const ScoreResult& result, const problem::Problem& problem,
                                   const data::Provenance& provenance);

/// The text of a file that keeps the score.
std::string score_text(const ScoreResult& result, const problem::Problem& problem, const data::Provenance& provenance);

}  // namespace gfdt::api

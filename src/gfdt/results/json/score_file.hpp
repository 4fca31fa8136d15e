#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gfdt/score/fields/field.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::results {

/// A fitted score as it is kept: what it was fitted to, and the field.
struct StoredScore {
  score::Method method = score::Method::automatic;
  std::shared_ptr<const score::Field> field;
  nlohmann::ordered_json certificate;  ///< as stored with it; null where there was none
  nlohmann::ordered_json run;          ///< whose samples it was fitted on, as run_json() gives; null where not known
};

/// The version of the file's format that is written; others are refused.
inline constexpr int score_format = 1;

/// What decides the trajectories of a run of a given model.
nlohmann::ordered_json run_json(const simulate::Options& options);

/// The text of a score file. `extra` are further entries, such as the certificate, the provenance and the run. Throws
/// Error for a score that cannot be kept, a function of the user's say.
std::string score_text(const symbolic::Model& model, score::Method method, const score::Field& field,
                       const nlohmann::ordered_json& extra);

enum class Belonging {
  model_and_parameters,  ///< the score is used for what it was fitted to
  model,                 ///< it is where a fit at other parameters starts
};

/// Throws Error when the file is no score, of another format version, or not of this model (and its parameters).
/// `device`: whether a GPU is to evaluate it where it can.
StoredScore read_score_file(const std::filesystem::path& file, const symbolic::Model& model,
                            Belonging belonging = Belonging::model_and_parameters, bool device = false);
StoredScore parse_score(const std::string& text, const std::string& file_name, const symbolic::Model& model,
                        Belonging belonging = Belonging::model_and_parameters, bool device = false);

}  // namespace gfdt::results

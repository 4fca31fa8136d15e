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

/// A fitted score as stored in a file: the field, its certificate and the run to which it was fitted.
struct StoredScore {
  score::Method method = score::Method::automatic;
  std::shared_ptr<const score::Field> field;
  nlohmann::ordered_json certificate;  ///< as stored with the score; null if there was none
  nlohmann::ordered_json run;          ///< run of the samples of the fit, from run_json(); null if unknown
};

/// The version of the file format that is written; other versions are rejected.
inline constexpr int score_format = 1;

/// The options that determine the trajectories of a run of a given model.
nlohmann::ordered_json run_json(const simulate::Options& options);

/// The text of a score file. `extra` contains additional entries, such as the certificate, the provenance and the run.
/// Throws Error for a score that cannot be stored, such as a function provided by the user.
std::string score_text(const symbolic::Model& model, score::Method method, const score::Field& field,
                       const nlohmann::ordered_json& extra);

enum class Belonging {
  model_and_parameters,  ///< the score is used for the model and the parameters to which it was fitted
  model,                 ///< the score is the starting point of a fit at other parameters
};

/// Throws Error if the file is not a score file, has another format version, or belongs to another model (or to other
/// parameters). `device`: whether to evaluate the score on a GPU if possible.
StoredScore read_score_file(const std::filesystem::path& file, const symbolic::Model& model,
                            Belonging belonging = Belonging::model_and_parameters, bool device = false);
StoredScore parse_score(const std::string& text, const std::string& file_name, const symbolic::Model& model,
                        Belonging belonging = Belonging::model_and_parameters, bool device = false);

}  // namespace gfdt::results

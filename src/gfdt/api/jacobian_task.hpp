#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/recorded_source.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"

namespace gfdt::data {
struct Provenance;
}  // namespace gfdt::data
namespace gfdt::results {
struct StoredScore;
}  // namespace gfdt::results

namespace gfdt::api {

/// A Jacobian method, named as on the command line: a response method (`auto`, `finite-difference`), a score method, or
/// a score file.
struct JacobianMethod {
  std::string name;
  jacobian::Method method = jacobian::Method::gfdt;
  std::optional<score::Method> score;             ///< method of the score fit
  std::string score_file;                         ///< file used instead of a fit
  std::optional<jacobian::ScoreFits> given = {};  ///< given score, used instead of either
};

/// Throws Error if a name occurs twice in the list of an option.
void refuse_repetition(const std::vector<std::string>& names, const std::string& option);

/// Response methods, then score methods. `auto` is the response method; `gfdt` uses the score that suits the model.
std::vector<std::string> jacobian_method_names();

/// Throws Error for a name that is neither a method nor a file.
JacobianMethod jacobian_method(const std::string& name);

/// The method of the problem, unless a response method or a score is named. Throws Error if the names are incompatible.
JacobianMethod jacobian_method(const problem::Problem& problem, const std::string& method, const std::string& score);

/// A prepared problem: the source of its samples and the requested columns.
struct JacobianTask {
  problem::Problem problem;
  std::vector<std::string> parameters;
  std::unique_ptr<simulate::Source> source;
  statistics::ObservedFunctions functions;  ///< replace the formulas of the observables that they name
  bool recorded = false;                    ///< whether the samples come from another program
  statistics::BurnIn burn_in = {};          ///< for runs of the model
};

/// `trajectory`: a file, or empty for runs of the model or of the problem's `simulation.command`; `parameters`: if
/// empty, all. The burn-in is chosen if the problem does not set it.
std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            const std::string& trajectory = {}, const simulate::Control& control = {});

/// The same for recorded states.
std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            std::optional<simulate::Recording> recording,
                                            const simulate::Control& control = {});

/// A stored score. If it was cross-fitted on halves of the same run, each half uses the score of the other half.
jacobian::ScoreFits given_score(const results::StoredScore& stored, const JacobianTask& task);

/// The inputs for a method that uses a score. Refers to the task.
jacobian::GfdtProblem gfdt_problem(const JacobianTask& task, const JacobianMethod& method);

/// Runs a method and adds diagnostics for entries that it cannot estimate. Finite differences set only the Jacobian;
/// likelihood ratios set no score.
jacobian::GfdtJacobian estimate(const JacobianTask& task, const JacobianMethod& method,
                                const simulate::Control& control);

/// The document of `gfdt jacobian --json`, without the seed and the provenance.
nlohmann::ordered_json document_of(const jacobian::GfdtJacobian& result, const std::string& method);

/// The text of a score file with the fitted score; empty if no score was fitted.
std::string score_text(const jacobian::GfdtJacobian& result, const JacobianTask& task,
                       const data::Provenance& provenance);

}  // namespace gfdt::api

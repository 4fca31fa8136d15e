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

/// One way to a Jacobian, as it is called on the command line: a method of responses (`auto`, `finite-difference`), a
/// method of scores, or a score file.
struct JacobianMethod {
  std::string name;
  jacobian::Method method = jacobian::Method::gfdt;
  std::optional<score::Method> score;             ///< of a fit
  std::string score_file;                         ///< instead of a fit
  std::optional<jacobian::ScoreFits> given = {};  ///< a score at hand, instead of either
};

/// Throws Error for a name that stands twice in the list of an option.
void refuse_repetition(const std::vector<std::string>& names, const std::string& option);

/// Of responses, then of scores; `auto` is that of responses, `gfdt` the one with the score that suits the model.
std::vector<std::string> jacobian_method_names();

/// Throws Error for a name that is neither a method nor a file.
JacobianMethod jacobian_method(const std::string& name);

/// The method that a problem asks for, unless one of responses or a score is named. Throws Error where the names do not
/// go together.
JacobianMethod jacobian_method(const problem::Problem& problem, const std::string& method, const std::string& score);

/// A problem, made ready: what its samples come from and the columns that are wanted.
struct JacobianTask {
  problem::Problem problem;
  std::vector<std::string> parameters;
  std::unique_ptr<simulate::Source> source;
  statistics::ObservedFunctions functions;  ///< that give the observables they name
  bool recorded = false;                    ///< the samples are those of somebody else's program
  statistics::BurnIn burn_in = {};          ///< of runs of the model
};

/// `trajectory`: a file, or empty for runs of the model, or of the problem's `simulation.command`; `parameters`: all
/// when empty. The burn-in is chosen where the problem leaves it open.
std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            const std::string& trajectory = {}, const simulate::Control& control = {});

/// The same with recorded states.
std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            std::optional<simulate::Recording> recording,
                                            const simulate::Control& control = {});

/// A kept score. Where it was fitted on halves of this very run, each half has the score of the other.
jacobian::ScoreFits given_score(const results::StoredScore& stored, const JacobianTask& task);

/// The task as it is put to a method with a score. Refers to the task.
jacobian::GfdtProblem gfdt_problem(const JacobianTask& task, const JacobianMethod& method);

/// What a method gives, and what there is to say of entries that it does not give. Finite differences leave all but the
/// Jacobian empty, likelihood ratios the score.
jacobian::GfdtJacobian estimate(const JacobianTask& task, const JacobianMethod& method,
                                const simulate::Control& control);

/// As `gfdt jacobian --json` writes it, but for the seed and the provenance.
nlohmann::ordered_json document_of(const jacobian::GfdtJacobian& result, const std::string& method);

/// The text of a file that keeps the score that was fitted on the way; empty where none was.
std::string score_text(const jacobian::GfdtJacobian& result, const JacobianTask& task,
                       const data::Provenance& provenance);

}  // namespace gfdt::api

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/io/problem.hpp"
#include "gfdt/response/gfdt_jacobian.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::task {

/// One way to a Jacobian, as it is called on the command line: `finite-difference`, a method of scores, or a score
/// file.
struct JacobianMethod {
  std::string name;
  response::Method method = response::Method::gfdt;
  std::optional<scoring::Method> score;  ///< of a fit
  std::string score_file;                ///< instead of a fit
};

/// Throws Error for a name that stands twice in the list of an option.
void refuse_repetition(const std::vector<std::string>& names, const std::string& option);

/// Throws Error for a name that is neither a method nor a file.
JacobianMethod jacobian_method(const std::string& name);

/// A problem, made ready: what its samples come from and the columns that are wanted.
struct JacobianTask {
  io::Problem problem;
  std::vector<std::string> parameters;
  std::unique_ptr<simulate::Source> source;
  bool recorded = false;  ///< the samples are those of somebody else's program
};

/// `trajectory`: a file, or empty for runs of the model; `parameters`: all when empty.
std::unique_ptr<JacobianTask> jacobian_task(io::Problem problem, std::vector<std::string> parameters,
                                            const std::string& trajectory = {});

/// The task as it is put to a method with a score. Refers to the task.
response::GfdtProblem gfdt_problem(const JacobianTask& task, const JacobianMethod& method);

/// What a method gives, and what there is to say of entries that it does not give. Finite differences leave all but the
/// Jacobian empty.
response::GfdtJacobian estimate(const JacobianTask& task, const JacobianMethod& method,
                                const simulate::Control& control);

}  // namespace gfdt::task

#include "gfdt/jacobian/estimate.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/jacobian/finite_difference/finite_difference.hpp"
#include "gfdt/jacobian/likelihood_ratio/likelihood_ratio.hpp"
#include "gfdt/jacobian/remainder/remainder.hpp"
#include "gfdt/jacobian/selection/automatic_jacobian.hpp"

namespace gfdt::jacobian {
namespace {

GfdtJacobian finite_differences(const GfdtProblem& problem, const simulate::Control& control) {
  if (!problem.source.of_model())
    throw Error(
        "Finite differences need runs at other parameters, and a recorded trajectory or a simulator of your own has "
        "none; use gfdt.");
  if (!problem.functions.empty())
    throw Error("Finite differences are of formulas: leave out the functions, or use gfdt.");
  GfdtJacobian result;
  result.jacobian = finite_difference_jacobian(problem.model, problem.source.options(), problem.response,
                                               problem.parameters, control);
  return result;
}

GfdtJacobian likelihood_ratio(const GfdtProblem& problem, const simulate::Control& control) {
  if (!problem.source.of_model())
    throw Error(
        "Likelihood ratios need the noise that drove a run, and a recorded trajectory or a simulator of your own does "
        "not tell it; use gfdt.");
  return likelihood_ratio_jacobian(
      {problem.model, problem.source.options(), problem.parameters, problem.response, problem.functions}, control);
}

GfdtJacobian supported(GfdtJacobian result) {
  withhold_unsupported_rows(result.jacobian);
  return result;
}

GfdtJacobian estimate_by_method(const GfdtProblem& problem, const simulate::Control& control) {
  const bool controlled = problem.response.control_variate.value_or(false);
  switch (problem.response.method) {
    case Method::automatic:
      return supported(automatic_jacobian(problem, control));
    case Method::control_variate:
      return supported(controlled_jacobian(problem, control).result);
    case Method::finite_difference:
      return finite_differences(problem, control);
    case Method::likelihood_ratio:
      return controlled ? with_remainder(problem, controlled_jacobian(problem, control), control)
                        : likelihood_ratio(problem, control);
    case Method::gfdt:
      break;
  }
  return controlled ? with_remainder(problem, controlled_jacobian(problem, control), control)
                    : gfdt_jacobian(problem, control);
}

}  // namespace

GfdtJacobian estimate(const GfdtProblem& problem, const simulate::Control& control) {
  GfdtJacobian result = estimate_by_method(problem, control);
  remove_absurd_entries(problem.model, result.jacobian);
  return result;
}

}  // namespace gfdt::jacobian

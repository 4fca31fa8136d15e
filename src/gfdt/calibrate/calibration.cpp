#include "gfdt/calibrate/calibration.hpp"

#include <fmt/format.h>

#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/ensemble_kalman/ensemble_kalman.hpp"
#include "gfdt/calibrate/search/rescue.hpp"
#include "gfdt/calibrate/search/search.hpp"

namespace gfdt::calibrate {

const char* name(Status status) {
  switch (status) {
    case Status::running:
      return "running";
    case Status::within_noise:
      return "within-noise";
    case Status::simulation_noise:
      return "simulation-noise";
    case Status::tolerance:
      return "tolerance";
    case Status::unreachable:
      return "unreachable";
    case Status::small_steps:
      return "small-steps";
    case Status::noisy_jacobian:
      return "noisy-jacobian";
    case Status::iterations:
      return "iterations";
    case Status::simulated_time:
      return "simulated-time";
    case Status::unstable:
      return "unstable";
    case Status::failed:
      return "failed";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

bool converged(Status status) { return status == Status::within_noise || status == Status::tolerance; }

bool has_answer(Status status) { return converged(status) || status == Status::simulation_noise; }

std::string Problem::problem() const {
  if (parameters.empty()) return "There is no parameter to calibrate.";
  std::set<std::string> names;
  for (const FreeParameter& parameter : parameters) {
    if (std::string why = parameter.problem(); !why.empty()) return why;
    if (!names.insert(parameter.name).second) return fmt::format("The parameter '{}' is named twice.", parameter.name);
  }
  if (std::string why = targets.problem(); !why.empty()) return why;
  if (!(length > 0)) return fmt::format("The length {} of the runs must be positive.", length);
  return {};
}

Calibration calibrate(const Problem& problem, const Options& options, Evaluator& evaluator,
                      const simulate::Control& control, const Observer& observer) {
  if (const std::string why = problem.problem(); !why.empty()) throw Error(why);
  if (const std::string why = options.problem(); !why.empty()) throw Error(why);
  if (options.algorithm == Algorithm::ensemble_kalman)
    return ensemble_kalman(problem, options, evaluator, control, observer);
  Calibration first = Search(problem, options, evaluator, control, observer).run();
  const bool stuck = first.status == Status::small_steps || first.status == Status::noisy_jacobian ||
                     first.status == Status::unstable || first.status == Status::failed;
  if (options.algorithm != Algorithm::levenberg_marquardt || !options.until_noise || !stuck) return first;
  return Rescue(problem, options, evaluator, control, observer).run(std::move(first));
}

}  // namespace gfdt::calibrate

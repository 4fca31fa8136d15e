#include "calibration_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/rounded_up.hpp"

namespace gfdt::app {
namespace {

using calibrate::Calibration;
using calibrate::Status;

/// `--set a=0.51 --set b=2`: options that start a new search at the current parameters.
std::string from_here(const Calibration& calibration, const calibrate::Problem& problem) {
  std::vector<std::string> settings;
  for (std::size_t j = 0; j < calibration.parameters.size(); ++j)
    settings.push_back(fmt::format("--set {}={:.6g}", problem.parameters[j].name, calibration.parameters[j]));
  return fmt::format("{}", fmt::join(settings, " "));
}

std::string for_unreachable(const Calibration& calibration, const calibrate::Problem& problem) {
  std::string words = "Free another parameter (calibration.free) or change the model";
  if (const auto m = furthest_off(calibration.mismatch))
    words += fmt::format(
        "; or, if the target of {0} is less certain than it says, give it a std of {1:.2g} "
        "(targets.{0}), which it is off by",
        problem.targets.observables[*m], std::abs(calibration.mismatch.residual[*m]));
  return words + ". From another guess there may be other parameters that have these statistics.";
}

std::string for_unstable(const calibrate::Problem& problem) {
  std::vector<std::string> unbounded;
  for (const calibrate::FreeParameter& parameter : problem.parameters)
    if (!std::isfinite(parameter.lower) || !std::isfinite(parameter.upper)) unbounded.push_back(parameter.name);
  std::string words = "Halve simulation.dt";
  if (!unbounded.empty())
    words += fmt::format(", or keep {} where the model is stable by bounds (lower, upper in [model.parameters])",
                         fmt::join(unbounded, ", "));
  return words + "; smaller first steps are had with calibration.trust_radius = 0.1.";
}

}  // namespace

std::optional<std::size_t> furthest_off(const calibrate::Mismatch& mismatch) {
  const std::vector<double>& deviations = mismatch.deviations;
  if (deviations.empty()) return {};
  const auto furthest = std::ranges::max_element(deviations, {}, [](double deviation) { return std::abs(deviation); });
  return static_cast<std::size_t>(furthest - deviations.begin());
}

std::string advice(const Calibration& calibration, const calibrate::Problem& problem, const calibrate::Options& options,
                   Simulator simulator) {
  switch (calibration.status) {
    case Status::running:
    case Status::within_noise:
    case Status::simulation_noise:
    case Status::tolerance:
    case Status::interrupted:
      return "";
    case Status::unreachable:
      return for_unreachable(calibration, problem);
    case Status::small_steps:
      return "Runs four times as long (simulation.length) tell better which way to go; or begin at another guess, and "
             "give parameters that have run into a bound a wider one.";
    case Status::noisy_jacobian:
      return "Make runs four times as long (simulation.length); or give priors ([calibration.priors]) to parameters "
             "that "
             "the targets may not determine, or fix them (calibration.free).";
    case Status::iterations:
      return fmt::format("Raise calibration.iterations to {}, or begin anew at this answer: {} --overwrite.",
                         2 * options.iterations, from_here(calibration, problem));
    case Status::simulated_time:
      return fmt::format("Raise calibration.simulated_time to {:g}, or begin anew at this answer: {} --overwrite.",
                         rounded_up(2 * options.simulated_time.value_or(calibration.simulated_time)),
                         from_here(calibration, problem));
    case Status::unstable:
      return for_unstable(problem);
    case Status::failed:
      if (simulator == Simulator::of_user)
        return "Run simulation.command by hand with these parameters; or begin at another guess (the values in "
               "[model.parameters]), or give a longer simulation.timeout.";
      return "'gfdt check' with these parameters shows what is wrong with the run; another guess (the values in "
             "[model.parameters]), a smaller simulation.dt or a longer simulation.length may fix it.";
  }
  return "";
}

}  // namespace gfdt::app

#include "experiment_calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/closure_fit.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"
#include "gfdt/problem/resolve_targets.hpp"
#include "shipped_models.hpp"

namespace gfdt::app {
namespace {

constexpr const char* closure_parameters[] = {"alpha0", "alpha1", "alpha2", "alpha3", "sigma"};

/// The two-scale system with the observables of the closure's experiment.
symbolic::Model two_scale_model(const symbolic::Model& closure) {
  const auto& shipped = shipped_models();
  const auto file = std::ranges::find(shipped, "lorenz96-two-scale", &ShippedModel::name);
  symbolic::Model model = problem::parse_problem(std::string(file->text), "models/lorenz96-two-scale.toml").model;
  model.observables = closure.observables;  // of X alone, which both have
  return model;
}

CalibrationStudy lorenz96_study(problem::Problem problem, const simulate::Control& control) {
  simulate::Options options = problem.simulation;
  options.seed = calibrate::stage_seed(options.seed, 0xC105);
  const calibrate::ClosureFit fit =
      calibrate::fit_closure(two_scale_model(problem.model), {.state = "X"}, options, control);
  if (!fit.usable()) {
    for (const Diagnostic& diagnostic : fit.statistics.diagnostics)
      if (diagnostic.verdict == Verdict::failed)
        throw Error(fmt::format("The run of the two-scale system cannot be used. {}", diagnostic.text));
    throw Error("The run of the two-scale system was stopped.");
  }
  CalibrationStudy study{std::move(problem), fit.targets, {}, {}};
  const std::vector<double> guess = fit.guess();
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::size(closure_parameters); ++i) {
    for (symbolic::Parameter& parameter : study.problem.model.parameters)
      if (parameter.name == closure_parameters[i]) parameter.value = guess[i];
    words.push_back(fmt::format("{} = {:.4g}", closure_parameters[i], guess[i]));
  }
  study.origin.push_back(
      fmt::format("Targets: statistics of the slow field of the two-scale system over {:.3g} units of time.",
                  fit.simulated_time / 2));
  study.origin.push_back(fmt::format("Guess, fitted to its unresolved tendency: {}.", fmt::join(words, ", ")));
  study.origin.push_back("The paper's guess: 0.1494, 0.3945, -0.0084, -0.0017, 1.0359.");
  return study;
}

}  // namespace

CalibrationPlan calibration_plan(const Experiment& experiment, bool paper_scale, bool paper_settings) {
  CalibrationPlan plan;
  const auto set = [&plan](std::initializer_list<const char*> settings) {
    plan.settings.insert(plan.settings.end(), settings.begin(), settings.end());
  };
  set({"response.control_variate=false"});  // the paper's methods have none
  if (experiment.name == "scalar" || experiment.name == "triad") {
    plan.methods = {"kgmm", "gaussian", "finite-difference"};
    if (experiment.name == "scalar") plan.methods.insert(plan.methods.begin(), "exact");
    plan.size = "Runs of 10^5 time units at most, the length of the paper's.";
    if (paper_settings)
      set({"calibration.algorithm=gauss-newton", "calibration.weights=covariance", "calibration.tolerance=1e-3",
           "calibration.until_noise=false", "calibration.iterations=10", "calibration.first_length=1"});
    return plan;
  }
  if (experiment.name != "lorenz96")
    throw Error(
        fmt::format("The paper does not calibrate '{}'; it calibrates scalar, triad and lorenz96.", experiment.name));
  plan.methods = {"patch", "gaussian", "finite-difference"};
  set({"response.steps.alpha0=0.05", "response.steps.alpha1=0.02", "response.steps.alpha2=0.01",
       "response.steps.alpha3=0.005", "response.steps.sigma=0.05", "calibration.until_noise=false",
       "calibration.iterations=15", "calibration.first_length=1"});
  if (paper_settings)
    set({"calibration.weights=variance", "calibration.algorithm=gauss-newton", "calibration.tikhonov=0.01"});
  else
    set({"calibration.weights=none"});  // what is compared is the mismatch as it is
  if (paper_scale) {
    plan.methods[0] = "unet";
    // The paper's 5·10^5 samples, half for each network of the cross-fit.
    set({"score.samples=250000", "score.epochs=20", "score.warm_epochs=1", "score.batch=1024",
         "response.samples=1000000", "response.window=[2, 5]"});
    plan.size =
        "This is the size of the paper's study: 5·10^5 time units an iteration, U-Nets trained on as many samples for "
        "20 epochs.";
  } else {
    set({"simulation.members=128", "score.samples=100000", "score.epochs=3", "response.samples=100000"});
    plan.size = "A quarter of the paper's runs and a patch network; --paper-scale does all of it, in hours.";
  }
  return plan;
}

CalibrationStudy calibration_study(const Experiment& experiment, problem::Problem problem,
                                   const simulate::Control& control) {
  if (experiment.name == "lorenz96") return lorenz96_study(std::move(problem), control);
  CalibrationStudy study{
      problem, problem::resolve_targets(problem, control), problem.targets.reference->parameters, {}};
  study.origin.push_back("Targets: statistics of a run at the true parameters, ten times as long.");
  return study;
}

}  // namespace gfdt::app

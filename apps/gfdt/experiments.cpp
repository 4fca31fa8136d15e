#include "experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "shipped_models.hpp"

namespace gfdt::app {
namespace {

std::string shipped_model_text(const std::filesystem::path& file) {
  for (const ShippedModel& model : shipped_models())
    if (file.stem() == model.name) return std::string(model.text);
  throw Error(fmt::format("No model '{}' comes with the program.", file.stem().string()));
}

problem::Problem parse(const Experiment& experiment, const std::vector<std::string>& settings) {
  return problem::parse_problem(std::string(experiment.problem), fmt::format("experiments/{}.toml", experiment.name),
                                settings, "experiments", shipped_model_text);
}

bool same_model(const symbolic::Model& a, const symbolic::Model& b) {
  const auto same_term = [](const symbolic::DiffusionTerm& x, const symbolic::DiffusionTerm& y) {
    return x.state == y.state && x.noise_site == y.noise_site && x.amplitude == y.amplitude;
  };
  const auto same_observable = [](const symbolic::Observable& x, const symbolic::Observable& y) {
    return x.name == y.name && x.formula == y.formula;
  };
  return a.parameter_values() == b.parameter_values() && a.drift == b.drift &&
         std::ranges::equal(a.diffusion, b.diffusion, same_term) &&
         std::ranges::equal(a.observables, b.observables, same_observable);
}

}  // namespace

const Experiment& experiment_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names.emplace_back(experiment.name);
  }
  throw Error(
      fmt::format("There is no experiment '{}'.{} Known: {}.", name, suggestion(name, names), fmt::join(names, ", ")));
}

std::string summary(const Experiment& experiment) {
  std::string_view line = experiment.problem.substr(0, experiment.problem.find('\n'));
  if (line.starts_with("# ")) line.remove_prefix(2);
  return std::string(line);
}

problem::Problem experiment_problem(const Experiment& experiment, const std::vector<std::string>& settings) {
  problem::Problem problem = parse(experiment, settings);
  if (!same_model(problem.model, parse(experiment, {}).model))
    throw Error(
        "--set may change the simulation, the score and the response of an experiment, not its model: the paper's "
        "numbers are for that one. 'gfdt jacobian' takes any problem file.");
  return problem;
}

ExperimentPlan experiment_plan(const Experiment& experiment, bool paper_scale) {
  if (experiment.name == "ou")
    return {
        {"exact", "gaussian", "finite-difference"}, {"response.window=[4.8, 6.4]"}, "The paper has no table of it."};
  if (experiment.name != "lorenz96") {
    ExperimentPlan plan{{"gaussian", "finite-difference"}, {}, "This is the size of the paper's run, 10^7 steps."};
    if (experiment.name != "quartic") plan.methods.insert(plan.methods.begin(), "kgmm");
    if (experiment.name != "triad") plan.methods.insert(plan.methods.begin(), "exact");
    if (experiment.name != "quartic") plan.methods.push_back("auto");  // past the paper
    return plan;
  }
  // Steps of differences are those of the paper, h = max(h_abs, 0.005 max(|θ|, 1)).
  ExperimentPlan plan{{"patch", "gaussian", "finite-difference"},
                      {"response.steps.alpha0=0.05", "response.steps.alpha1=0.02", "response.steps.alpha2=0.01",
                       "response.steps.alpha3=0.005", "response.steps.sigma=0.05"},
                      {}};
  const auto set = [&plan](std::initializer_list<const char*> settings) {
    plan.settings.insert(plan.settings.end(), settings.begin(), settings.end());
  };
  if (paper_scale) {
    plan.methods.insert(plan.methods.begin(), "unet");
    set({"score.samples=500000", "score.epochs=20", "response.samples=1000000", "response.window=[2, 5]"});
    plan.size =
        "This is the size of the paper's run: 5·10^5 time units, scores from 5·10^5 snapshots in 20 epochs. It takes "
        "hours.";
  } else {
    set({"simulation.members=128", "score.samples=300000", "score.epochs=1", "response.samples=100000"});
    plan.size =
        "This is a quarter of the paper's run, and a thirtieth of its training; --paper-scale does all of it, in "
        "hours.";
    plan.methods.push_back("auto");  // past the paper
  }
  return plan;
}

}  // namespace gfdt::app

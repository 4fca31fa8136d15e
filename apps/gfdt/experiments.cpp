#include "experiments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/core/error.hpp"
#include "gfdt/core/nearest.hpp"
#include "shipped_models.hpp"

namespace gfdt::app {
namespace {

std::string shipped_model_text(const std::filesystem::path& file) {
  for (const ShippedModel& model : shipped_models())
    if (file.stem() == model.name) return std::string(model.text);
  throw Error(fmt::format("No model '{}' comes with the program.", file.stem().string()));
}

io::Problem parse(const Experiment& experiment, const std::vector<std::string>& settings) {
  return io::parse_problem(std::string(experiment.problem), fmt::format("experiments/{}.toml", experiment.name),
                           settings, "experiments", shipped_model_text);
}

bool same_model(const model::Model& a, const model::Model& b) {
  const auto same_term = [](const model::DiffusionTerm& x, const model::DiffusionTerm& y) {
    return x.state == y.state && x.noise_site == y.noise_site && x.amplitude == y.amplitude;
  };
  const auto same_observable = [](const model::Observable& x, const model::Observable& y) {
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

io::Problem experiment_problem(const Experiment& experiment, const std::vector<std::string>& settings) {
  io::Problem problem = parse(experiment, settings);
  if (!same_model(problem.model, parse(experiment, {}).model))
    throw Error(
        "--set may change the simulation, the score and the response of an experiment, not its model: the paper's "
        "numbers are for that one. 'gfdt jacobian' takes any problem file.");
  return problem;
}

ExperimentPlan experiment_plan(const Experiment& experiment, bool paper_scale) {
  if (experiment.name == "ou")
    return {{"exact", "gaussian", "finite-difference"}, {"response.window=[4.8, 6.4]"}, "The paper has no numbers here."};
  if (experiment.name == "quartic" || experiment.name == "scalar" || experiment.name == "triad") {
    ExperimentPlan plan{{"gaussian", "finite-difference"}, {}, "This is the size of the paper's run, 10^7 steps."};
    if (experiment.name != "quartic") plan.methods.insert(plan.methods.begin(), "kgmm");
    if (experiment.name != "triad") plan.methods.insert(plan.methods.begin(), "exact");
    return plan;
  }
  // h = max(h_abs, 0.005 max(|θ|, 1)), as the paper has it.
  std::vector<std::string> settings{"response.steps.alpha0=0.05", "response.steps.alpha1=0.02",
                                    "response.steps.alpha2=0.01", "response.steps.alpha3=0.005",
                                    "response.steps.sigma=0.05"};
  const std::vector<std::string> scale =
      paper_scale ? std::vector<std::string>{"score.epochs=20", "score.samples=500000", "response.window=[2, 5]"}
                  : std::vector<std::string>{"simulation.members=128", "score.epochs=4", "score.samples=200000",
                                             "response.samples=1000000"};
  settings.insert(settings.end(), scale.begin(), scale.end());
  if (paper_scale)
    return {{"unet", "patch", "gaussian", "finite-difference"},
            settings,
            "This is the size of the paper's run: 5*10^5 time units, a score from 5*10^5 snapshots in 20 epochs."};
  return {{"patch", "gaussian", "finite-difference"},
          settings,
          "This is a quarter of the paper's run and a shorter training; --paper-scale is all of it."};
}

}  // namespace gfdt::app

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/problem/problem.hpp"

namespace gfdt::app {

/// An experiment of the paper, as the texts of its files.
struct Experiment {
  std::string_view name;
  std::string_view problem;  ///< experiments/NAME.toml
  std::string_view paper;    ///< experiments/reference/NAME.json: the paper's tables; may be empty
  std::string_view truth;    ///< studies/truth_NAME.json: long perturbed runs; may be empty
};

/// Sorted by name.
std::span<const Experiment> experiments();

/// Throws Error with the nearest name if there is no such experiment.
const Experiment& experiment_named(const std::string& name);

/// The first line of the comment at the head of its problem file.
std::string summary(const Experiment& experiment);

/// The problem of an experiment with settings changed as by --set. Throws Error if they change the model or the
/// observables, since the results would not be comparable with the paper.
problem::Problem experiment_problem(const Experiment& experiment, const std::vector<std::string>& settings);

/// Settings for a run of an experiment.
struct ExperimentPlan {
  std::vector<std::string> methods;   ///< as for `gfdt jacobian --compare`
  std::vector<std::string> settings;  ///< as for --set
  std::string size;                   ///< how this compares with the paper, a sentence
};

ExperimentPlan experiment_plan(const Experiment& experiment, bool paper_scale);

}  // namespace gfdt::app

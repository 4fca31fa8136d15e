#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::app {

/// Settings for the calibration of an experiment.
struct CalibrationPlan {
  std::vector<std::string> methods;   ///< as for `gfdt calibrate --compare`
  std::vector<std::string> settings;  ///< as for --set
  std::string size;                   ///< how this compares with the paper, a sentence
};

/// `paper_settings`: the paper's steps, weights and stops instead of ours. Throws Error for an experiment that the
/// paper does not calibrate.
CalibrationPlan calibration_plan(const Experiment& experiment, bool paper_scale, bool paper_settings);

/// A calibration and its known true parameters.
struct CalibrationStudy {
  problem::Problem problem;  ///< at the guess
  calibrate::Targets targets;
  std::map<std::string, double> truth;  ///< parameters that generated the targets; empty if there are none
  std::vector<std::string> origin;      ///< where guess and targets come from, a sentence each
};

/// Targets of the scalar model and the triad come from a run at the true parameters; of Lorenz-96 they come, with the
/// guess, from a run of the two-scale system with as many members of the same length. Throws Error where such a run
/// cannot be used.
CalibrationStudy calibration_study(const Experiment& experiment, problem::Problem problem,
                                   const simulate::Control& control);

}  // namespace gfdt::app

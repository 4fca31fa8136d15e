#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/evaluation/response_evaluator.hpp"
#include "gfdt/calibrate/posterior/predictive.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::results {
class RunFolder;
struct RunDescription;
}  // namespace gfdt::results

namespace gfdt::api {

/// One way to calibrate, as it is called on the command line: a method of scores, `finite-difference`,
/// `likelihood-ratio` or
/// `ensemble-kalman`.
struct CalibrationMethod {
  std::string name;
  std::optional<score::Method> score = {};  ///< that the Jacobians are made with; else as the problem says
  std::optional<jacobian::Method> response = {};
  std::optional<calibrate::Algorithm> algorithm = {};
};

/// Throws Error for a name that is none.
CalibrationMethod calibration_method(const std::string& name);

/// The one that a problem asks for.
CalibrationMethod calibration_method(const problem::Problem& problem);

/// A problem made ready for one method.
struct CalibrationTask {
  std::string name;
  problem::Problem problem;  ///< as the method changes it
  calibrate::Problem asked;
  calibrate::Experiment experiment;
};

/// Throws Error for what cannot be calibrated so.
CalibrationTask calibration_task(const problem::Problem& problem, const calibrate::Targets& targets,
                                 const CalibrationMethod& method);

/// What is to be said of a problem before anything is run, a sentence each.
std::vector<std::string> cautions(const CalibrationTask& task);

/// Runs it, keeping everything in the folder where there is one.
calibrate::Calibration run(const CalibrationTask& task, const results::RunFolder* folder,
                           const simulate::Control& control, const calibrate::Observer& observer);

/// What the calibrated model foretells of the record that the targets came from, or of its own runs.
calibrate::Predictive predict(const CalibrationTask& task, const calibrate::Calibration& calibration,
                              const simulate::Control& control);

/// What decides the numbers of a task.
results::RunDescription description_of(const CalibrationTask& task, const std::string& command_line);

/// Simulated time until statistics of runs of full length were within the noise of targets and simulation, at this
/// confidence; nothing where they never were.
std::optional<double> time_to_noise(const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                                    double confidence = 0.95);

/// Whether the search ended as requested: within noise or tolerance, or after the iterations that were asked for.
bool ended_as_requested(const calibrate::Calibration& calibration, const calibrate::Options& options);

}  // namespace gfdt::api

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

/// A calibration method, named as on the command line: a score method, `finite-difference`, `likelihood-ratio` or
/// `ensemble-kalman`.
struct CalibrationMethod {
  std::string name;
  std::optional<score::Method> score = {};  ///< score method of the Jacobians; if empty, that of the problem
  std::optional<jacobian::Method> response = {};
  std::optional<calibrate::Algorithm> algorithm = {};
};

/// Throws Error for an unknown name.
CalibrationMethod calibration_method(const std::string& name);

/// The method that the problem file requests.
CalibrationMethod calibration_method(const problem::Problem& problem);

/// A problem prepared for one method.
struct CalibrationTask {
  std::string name;
  problem::Problem problem;  ///< with the changes that the method requires
  calibrate::Problem asked;
  calibrate::Experiment experiment;
};

/// Throws Error if the problem cannot be calibrated with this method.
CalibrationTask calibration_task(const problem::Problem& problem, const calibrate::Targets& targets,
                                 const CalibrationMethod& method);

/// Warnings about the problem that are known before any run, one sentence each.
std::vector<std::string> cautions(const CalibrationTask& task);

/// Runs the calibration; if a folder is given, stores everything in it.
calibrate::Calibration run(const CalibrationTask& task, const results::RunFolder* folder,
                           const simulate::Control& control, const calibrate::Observer& observer);

/// Posterior predictive check against the record from which the targets were computed, or against runs of the model.
calibrate::Predictive predict(const CalibrationTask& task, const calibrate::Calibration& calibration,
                              const simulate::Control& control);

/// Everything that determines the numbers of a task.
results::RunDescription description_of(const CalibrationTask& task, const std::string& command_line);

/// Simulated time until the statistics of full-length runs agreed with the targets within the noise of targets and
/// simulation, at this confidence; empty if they never did.
std::optional<double> time_to_noise(const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                                    double confidence = 0.95);

/// Whether the search ended as requested: within noise or tolerance, or after the requested number of iterations.
bool ended_as_requested(const calibrate::Calibration& calibration, const calibrate::Options& options);

}  // namespace gfdt::api

#include "gfdt/api/kept_calibration.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "gfdt/base/error.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/source_text.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/calibration_json.hpp"
#include "gfdt/results/json/predictive_json.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"

namespace gfdt::api {
namespace {

using nlohmann::ordered_json;

ordered_json document_of(const calibrate::Calibration& calibration, const CalibrationTask& task,
                         const ordered_json& provenance) {
  ordered_json document = results::to_json(calibration, task.asked);
  const std::optional<double> floor = time_to_noise(calibration, task.asked, task.problem.calibration.confidence);
  document["time_to_noise"] = floor ? ordered_json(*floor) : ordered_json();
  document["name"] = task.name;
  document["weights"] = calibrate::name(task.problem.calibration.weights);
  document["burn_in"] = task.experiment.simulation.burn_in_time();
  document["seed"] = task.asked.seed;
  document["provenance"] = provenance;
  return document;
}

/// The posterior predictive check stored in the folder; null if it is missing or damaged.
ordered_json kept_predictive(const std::filesystem::path& file) {
  constexpr std::size_t largest = std::size_t{1} << 30;
  const std::string text = ranks::broadcast_from_root("a kept predictive", [&] {
    try {
      return data::read_text_file(file, largest);
    } catch (const Error&) {
      return std::string();
    }
  });
  try {
    return data::unsealed(text, /*checksum_required=*/true);
  } catch (const Error&) {
    return {};
  }
}

/// Computes the check once and reads the stored result afterwards.
void add_predictive(KeptCalibration& kept, const CalibrationTask& task, const results::RunFolder& folder,
                    const simulate::Control& control) {
  if (task.problem.calibration.predictive_draws == 0 || kept.calibration.parameters.empty()) return;
  kept.predictive = kept_predictive(folder.path() / predictive_name);
  if (kept.predictive.is_object()) return;
  calibrate::Predictive found;
  try {
    found = predict(task, kept.calibration, control);
  } catch (const std::exception& error) {  // a failure must not lose the calibration
    found.problem = fmt::format("It could not be computed: {}", error.what());
  }
  kept.no_predictive = found.cancelled ? "It was stopped; --resume computes it." : found.problem;
  if (!kept.no_predictive.empty()) return;
  kept.predictive = results::to_json(found);
  folder.write(predictive_name, kept.predictive);
}

}  // namespace

void clear_run(const std::filesystem::path& folder) {
  constexpr const char* names[] = {calibration_name, progress_name, predictive_name, "report.html"};
  results::RunFolder::clear(folder, names);
}

KeptCalibration calibrate_and_keep(const CalibrationTask& task, const results::RunFolder* folder,
                                   const std::string& command_line, const simulate::Control& control,
                                   const KeptObserver& observer) {
  const ordered_json provenance = data::provenance_json(problem::provenance_of(task.problem, command_line));
  KeptCalibration kept;
  const auto keep = [&](const char* name) {
    if (folder) folder->write(name, kept.document);
  };
  kept.calibration = run(task, folder, control, [&](const calibrate::Calibration& so_far) {
    kept.document = document_of(so_far, task, provenance);
    keep(progress_name);
    if (observer) observer(so_far, kept.document);
  });
  kept.document = document_of(kept.calibration, task, provenance);
  if (kept.calibration.status == calibrate::Status::interrupted) {
    keep(progress_name);
  } else if (folder) {
    keep(calibration_name);
    std::error_code ignored;  // the result takes precedence
    if (ranks::own() == 0) std::filesystem::remove(folder->path() / progress_name, ignored);
    add_predictive(kept, task, *folder, control);
  }
  return kept;
}

}  // namespace gfdt::api

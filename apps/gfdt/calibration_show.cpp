#include "calibration_show.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "calibration_figure.hpp"
#include "calibration_table.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/io/calibration_json.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/predictive_json.hpp"
#include "gfdt/io/provenance.hpp"
#include "gfdt/io/source_text.hpp"
#include "progress_bar.hpp"

namespace gfdt::app {
namespace {

nlohmann::ordered_json document_of(const calibrate::Calibration& calibration, const task::CalibrationTask& task,
                                   const nlohmann::ordered_json& provenance) {
  nlohmann::ordered_json document = io::to_json(calibration, task.asked);
  const std::optional<double> floor = time_to_noise(calibration, task.asked, task.problem.calibration.confidence);
  document["time_to_noise"] = floor ? nlohmann::ordered_json(*floor) : nlohmann::ordered_json();
  document["name"] = task.name;
  document["seed"] = task.asked.seed;
  document["provenance"] = provenance;
  return document;
}

/// What the answer foretells, as it is kept in the folder: computed once, read again afterwards. Null where there is
/// nothing; `why` says why, or is empty where it was not wanted.
nlohmann::ordered_json predictive_of(const calibrate::Calibration& result, const task::CalibrationTask& task,
                                     const io::RunFolder& folder, ProgressBar& bar, std::string& why) {
  if (task.problem.calibration.predictive_draws == 0 || result.parameters.empty()) return {};
  const std::filesystem::path file = folder.path() / predictive_name;
  if (std::filesystem::exists(file)) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    nlohmann::ordered_json kept =
        nlohmann::ordered_json::parse(io::read_text_file(file, most_bytes), nullptr, /*allow_exceptions=*/false);
    if (kept.is_object()) return kept;
  }
  calibrate::Predictive found;
  try {
    found = task::predict(task, result, {.progress = bar.listener(), .cancellation = &interruption()});
  } catch (const Error& error) {  // the answer itself is not to be lost
    found.problem = error.what();
  }
  bar.clear();
  why = found.cancelled ? "It was stopped; --resume computes it." : found.problem;
  if (!why.empty()) return {};
  nlohmann::ordered_json document = io::to_json(found);
  folder.write(predictive_name, io::json_text(document));
  return document;
}

void print_predictive(std::FILE* file, const nlohmann::ordered_json& predictive, const std::string& why) {
  if (!why.empty()) fmt::print(file, "  What the answer foretells is left out. {}\n", why);
  if (!predictive.is_object()) return;
  for (const nlohmann::ordered_json& remark : predictive.value("remarks", nlohmann::ordered_json::array()))
    fmt::print(file, "  ! {}\n", remark.get<std::string>());
  std::size_t measured = 0;
  for (const nlohmann::ordered_json& value : predictive.at("statistics").at("record")) measured += !value.is_null();
  if (measured == 0) return;
  const nlohmann::ordered_json outside = predictive.value("outside", nlohmann::ordered_json::array());
  fmt::print(file, "  {} runs as long as the record, at parameters drawn from the posterior, {}\n",
             predictive.at("draws").get<int>(),
             outside.empty() ? "hold it in their bands of 90 %." : "differ from it:");
  for (const nlohmann::ordered_json& sentence : outside) fmt::print(file, "  ! {}\n", sentence.get<std::string>());
}

}  // namespace

calibrate::Calibration calibrate_and_show(const task::CalibrationTask& task, const io::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document) {
  ProgressBar bar(common.quiet);
  IterationLines lines(common.text(), task.asked);
  const nlohmann::ordered_json provenance = io::to_json(io::provenance_of(task.problem, common.command_line));
  const auto keep = [&](const char* name) {
    if (folder) folder->write(name, io::json_text(document));
  };
  const auto observer = [&](const calibrate::Calibration& so_far) {
    bar.clear();
    document = document_of(so_far, task, provenance);
    keep(progress_name);
    if (common.talks()) lines.show(so_far);
  };
  calibrate::Calibration result =
      task::run(task, folder, {.progress = bar.listener(), .cancellation = &interruption()}, observer);
  bar.clear();
  document = document_of(result, task, provenance);
  nlohmann::ordered_json predictive;
  std::string why;
  if (result.status == calibrate::Status::interrupted) {
    keep(progress_name);
  } else if (folder) {
    folder->write(convergence_name, convergence_figure({{task.name, result}}, task.asked));
    predictive = predictive_of(result, task, *folder, bar, why);
    keep(calibration_name);
    std::filesystem::remove(folder->path() / progress_name);
  }
  const bool wished = task::as_wished(result, task.problem.calibration);
  if (common.talks()) {
    print_calibration(common.text(), result, task.asked, wished);
    print_predictive(common.text(), predictive, why);
  } else if (!wished) {
    fmt::print(stderr, "{}\n", verdict(result, task.asked));
  }
  return result;
}

}  // namespace gfdt::app

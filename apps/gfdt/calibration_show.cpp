#include "calibration_show.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "calibration_table.hpp"
#include "gfdt/api/kept_calibration.hpp"
#include "progress_bar.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

void print_predictive(std::FILE* file, const nlohmann::ordered_json& predictive, const std::string& why) {
  if (!why.empty()) put_paragraph(file, "  ", "There is no posterior predictive check. " + why);
  if (!predictive.is_object()) return;
  for (const nlohmann::ordered_json& remark : predictive.value("remarks", nlohmann::ordered_json::array()))
    print_remarks(file, {remark.get<std::string>()});
  std::size_t measured = 0;
  for (const nlohmann::ordered_json& value : predictive.at("statistics").at("record")) measured += !value.is_null();
  if (measured == 0) return;
  const nlohmann::ordered_json outside = predictive.value("outside", nlohmann::ordered_json::array());
  put_paragraph(file, "  ",
                fmt::format("{} runs as long as the record, at parameters drawn from the posterior, {}",
                            predictive.at("draws").get<int>(),
                            outside.empty() ? "do not differ from it more than from each other." : "differ from it:"));
  for (const nlohmann::ordered_json& sentence : outside) print_remarks(file, {sentence.get<std::string>()});
}

}  // namespace

calibrate::Calibration calibrate_and_show(const api::CalibrationTask& task, const results::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document) {
  ProgressBar bar(common.quiet);
  IterationLines lines(common.text(), task.asked);
  api::KeptCalibration kept = api::calibrate_and_keep(
      task, folder, common.command_line, {.progress = bar.listener(), .cancellation = &interruption()},
      [&](const calibrate::Calibration& so_far, const nlohmann::ordered_json&) {
        bar.clear();
        if (common.talks()) lines.show(so_far);
      });
  bar.clear();
  calibrate::Calibration& result = kept.calibration;
  document = std::move(kept.document);
  const bool as_requested = api::ended_as_requested(result, task.problem.calibration);
  if (common.talks()) {
    print_calibration(common.text(), result, task.asked, task.problem.calibration, as_requested,
                      task.problem.command ? Simulator::of_user : Simulator::gfdt);
    print_predictive(common.text(), kept.predictive, kept.no_predictive);
  } else if (!as_requested) {
    say(stderr, "{}\n", verdict(result, task.asked));
  }
  return std::move(result);
}

}  // namespace gfdt::app

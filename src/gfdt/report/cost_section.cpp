#include <fmt/format.h>

#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

std::size_t length_of(const Json& list) { return list.is_array() ? list.size() : 0; }

Table calibrations_table(const RunDocuments& run) {
  Table table{"", {"method", "evaluations", "simulated time", "until within noise", "wall-clock time", "status"}, {}};
  const std::vector<std::string> labels = calibration_labels(run);
  for (std::size_t i = 0; i < run.calibrations.size(); ++i) {
    const Json& result = run.calibrations[i].result;
    table.rows.push_back({run.calibrations.size() > 1 ? labels[i] : method_label(run.calibrations[i].name),
                          fmt::format("{}", length_of(entry(result, "iterations"))),
                          brief(number_of(result, "simulated_time")), brief(number_of(result, "time_to_noise")),
                          duration(number_of(result, "wall_seconds")), text_of(result, "status")});
  }
  return table;
}

Table steps_table(const CalibrationDocuments& calibration) {
  Table table{"",
              {"step", "mismatch", "χ²", "run length", "simulated time", "wall-clock time", "condition number",
               "trust radius", "accepted", "remarks"},
              {}};
  std::size_t step = 0;
  for (const Json& iteration : entry(calibration.result, "iterations")) {
    std::string remarks;
    for (const char* key : {"remarks", "warnings"})
      for (const std::string& remark : texts_of(iteration, key)) remarks += (remarks.empty() ? "" : " ") + remark;
    const bool accepted = entry(iteration, "accepted") != false;
    table.rows.push_back({fmt::format("{}", step++),
                          brief(number_of(iteration, "mismatch")),
                          brief(number_of(iteration, "chi_square")),
                          brief(number_of(iteration, "length")),
                          brief(number_of(iteration, "simulated_time")),
                          duration(number_of(iteration, "wall_seconds")),
                          brief(number_of(iteration, "condition")),
                          brief(number_of(iteration, "trust_radius")),
                          {accepted ? "yes" : "rejected", accepted ? "" : "unresolved"},
                          {remarks, "text"}});
  }
  return table;
}

Table jacobians_table(const std::vector<JacobianView>& views) {
  Table table{"", {"Jacobian", "simulated time", "wall-clock time", "of which score", "of which certificates"}, {}};
  for (const JacobianView& view : views) {
    double certificates = 0;
    for (const Json& certificate : entry(view.score, "certificates"))
      certificates += number_of(certificate, "wall_seconds");
    const double score = number_of(view.score, "wall_seconds");
    table.rows.push_back({view.name, brief(view.simulated_time), duration(view.wall_seconds), duration(score),
                          std::isfinite(score) ? duration(certificates) : "–"});
  }
  return table;
}

}  // namespace

std::optional<Section> cost_section(const RunDocuments& run) {
  Section section{"cost", "Cost", {}};
  if (!run.calibrations.empty()) {
    section.blocks.push_back(Paragraph{"Simulated time is the total of all members and runs, in units of the model."});
    section.blocks.push_back(calibrations_table(run));
    for (std::size_t i = 0; i < run.calibrations.size(); ++i)
      if (length_of(entry(run.calibrations[i].result, "iterations")) > 0)
        section.blocks.push_back(
            Folded{calibration_prefix(run, i) + "Each step of the search", {steps_table(run.calibrations[i])}});
  } else if (const std::vector<JacobianView> views = jacobians_of(run); !views.empty()) {
    section.blocks.push_back(jacobians_table(views));
  }
  for (const Json* document : {&run.score, &run.response, &run.simulation, &run.reproduction})
    if (std::isfinite(number_of(*document, "wall_seconds")))
      section.blocks.push_back(Paragraph{
          std::isfinite(number_of(*document, "simulated_time"))
              ? fmt::format("Total: {} units of simulated time, {}.", brief(number_of(*document, "simulated_time")),
                            duration(number_of(*document, "wall_seconds")))
              : fmt::format("Total: {}.", duration(number_of(*document, "wall_seconds")))});
  if (section.blocks.empty()) return {};
  return section;
}

std::optional<Section> provenance_section(const RunDocuments& run) {
  const Json& provenance = run.provenance();
  if (!provenance.is_object()) return {};
  Section section{"provenance", "Provenance", {}};
  Table table{"", {"", "value"}, {}};
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) table.rows.push_back({name, {value, "text"}});
  };
  add("version", "gfdt " + text_of(provenance, "version"));
  add("date", text_of(provenance, "date"));
  add("command", text_of(provenance, "command_line"));
  const Json& seed = entry(provenance, "seed");
  add("seed", seed.is_number() ? seed.dump() : "");
  add("simulation", text_of(provenance, "options"));
  std::string changes;
  for (const std::string& change : texts_of(provenance, "set")) changes += (changes.empty() ? "" : " ") + change;
  add("settings (--set)", changes);
  const Json& threads = entry(provenance, "threads");
  add("threads", threads.is_number() ? threads.dump() : "");
  add("machine", text_of(provenance, "machine"));
  add("processor", text_of(provenance, "processor"));
  section.blocks.push_back(std::move(table));
  for (const std::string what : {"problem", "model"})
    if (const std::string text = text_of(provenance, what + "_text"); !text.empty())
      section.blocks.push_back(
          Quotation{fmt::format("The {} file, {}", what, text_of(provenance, what + "_file")), text});
  return section;
}

}  // namespace gfdt::report

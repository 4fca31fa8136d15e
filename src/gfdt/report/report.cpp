#include "gfdt/report/report.hpp"

#include <fmt/format.h>

#include "gfdt/data/provenance.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// 2026-11-15 22:24 UTC of 2026-11-15T22:24:11Z.
std::string readable_date(const std::string& date) {
  if (date.size() != 20 || date[10] != 'T' || date.back() != 'Z') return date;
  return fmt::format("{} {} UTC", date.substr(0, 10), date.substr(11, 5));
}

std::string subject_of(const RunDocuments& run) {
  if (const std::string experiment = text_of(run.reproduction, "experiment"); !experiment.empty())
    return "the experiment " + experiment;
  const std::string stem = std::filesystem::path(text_of(run.provenance(), "problem_file")).stem().string();
  return stem.empty() ? "a problem" : stem;
}

std::string title_of(const RunDocuments& run) {
  const char* what = !run.calibrations.empty()     ? "Calibration"
                     : !run.jacobian.is_null()     ? "Jacobian"
                     : !run.reproduction.is_null() ? "Reproduction"
                     : !run.response.is_null()     ? "Responses"
                     : !run.score.is_null()        ? "Score"
                                                   : "Simulation";
  return fmt::format("{} of {}", what, subject_of(run));
}

std::string answer_of(const CalibrationDocuments& calibration, bool several) {
  const Json& parameters = entry(calibration.result, "parameters");
  std::string text;
  for (const std::string& name : keys_of(parameters))
    text += fmt::format(
        "{}{} = {}", text.empty() ? "" : ", ", name,
        answer_text(number_of(parameters, name), number_of(entry(calibration.result, "parameters_error"), name)));
  if (text.empty()) return {};
  return fmt::format("{}{}.", several ? calibration.name + ": " : "", text);
}

std::vector<std::string> lead_of(const RunDocuments& run) {
  const bool several = run.calibrations.size() > 1;
  std::vector<std::string> lead;
  for (const CalibrationDocuments& calibration : run.calibrations) {
    const std::string answer = answer_of(calibration, several), words = text_of(calibration.result, "explanation");
    if (!answer.empty() || !words.empty()) lead.push_back(answer + (answer.empty() ? "" : " ") + words);
  }
  return lead;
}

using Builder = std::optional<Section> (*)(const RunDocuments&);

constexpr Builder builders[] = {convergence_section, objective_section,  posterior_section, density_section,
                                experiment_section,  jacobian_section,   response_section,  step_response_section,
                                certificate_section, simulation_section, cost_section,      provenance_section};

}  // namespace

Page page_of(const RunDocuments& run) {
  const Json& provenance = run.provenance();
  Page page{.title = title_of(run),
            .subtitle =
                fmt::format("{} · gfdt {}", readable_date(text_of(provenance, "date")), text_of(provenance, "version")),
            .lead = lead_of(run),
            .sections = {},
            .made_by = fmt::format("Made by gfdt {}.", data::version())};
  if (!run.remarks.empty()) {
    Section remarks{"remarks", "To be known first", {}};
    for (const std::string& remark : run.remarks) remarks.blocks.push_back(Paragraph{remark, true});
    page.sections.push_back(std::move(remarks));
  }
  for (const Builder builder : builders) {
    // A document that another version has written may have entries of other kinds: the rest of the page is of use.
    try {
      if (std::optional<Section> section = builder(run)) page.sections.push_back(std::move(*section));
    } catch (const Json::exception& error) {
      page.sections.push_back(
          {fmt::format("left-out-{}", page.sections.size()),
           "Left out",
           {Paragraph{fmt::format("A part of the page could not be made, since an entry of the documents "
                                  "is of an unknown kind: {}.",
                                  error.what()),
                      true}}});
    }
  }
  return page;
}

std::filesystem::path write_report(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const std::filesystem::path place = file.empty() ? folder / page_name : file;
  data::write_file_atomically(place, html(page_of(read_run_documents(folder))));
  return place;
}

}  // namespace gfdt::report

#include "gfdt/report/report.hpp"

#include <fmt/format.h>

#include "gfdt/data/provenance.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/sections.hpp"
#include "gfdt/report/verdict.hpp"

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

using Builder = std::optional<Section> (*)(const RunDocuments&);

/// Results first, how they were obtained later.
constexpr Builder builders[] = {posterior_section,     objective_section,   density_section,  experiment_section,
                                simulation_section,    convergence_section, jacobian_section, response_section,
                                step_response_section, certificate_section, cost_section,     provenance_section};

}  // namespace

Page page_of(const RunDocuments& run) {
  const Json& provenance = run.provenance();
  Page page{.title = title_of(run),
            .subtitle =
                fmt::format("{} · gfdt {}", readable_date(text_of(provenance, "date")), text_of(provenance, "version")),
            .verdicts = verdicts_of(run),
            .sections = {},
            .made_by = fmt::format("Made by gfdt {}.", data::version())};
  if (!run.remarks.empty()) {
    Section remarks{"remarks", "Remarks", {}};
    for (const std::string& remark : run.remarks) remarks.blocks.push_back(Paragraph{remark, true});
    page.sections.push_back(std::move(remarks));
  }
  for (const Builder builder : builders) {
    // A document of another version may have entries of other types; the rest of the page is still useful.
    try {
      if (std::optional<Section> section = builder(run)) page.sections.push_back(std::move(*section));
    } catch (const Json::exception& error) {
      page.sections.push_back(
          {fmt::format("omitted-{}", page.sections.size()),
           "Omitted",
           {Paragraph{
               fmt::format("A section is missing because a document contains an entry of an unexpected type: {}.",
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

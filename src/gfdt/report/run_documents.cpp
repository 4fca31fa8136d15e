#include "gfdt/report/run_documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "gfdt/base/error.hpp"
#include "gfdt/base/folder_entries.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/source_text.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"

namespace gfdt::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{1} << 30;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

/// Null where the file is missing.
Json read_document(const fs::path& file) {
  if (!is_there(file)) return {};
  const std::string text = data::read_text_file(file, most_bytes);
  try {
    return data::unsealed(text, /*checksum_required=*/false);
  } catch (const Error& error) {
    throw Error(
        fmt::format("'{}' is damaged. {} Copy the folder again, or repeat the run (gfdt calibrate --resume keeps the "
                    "stages that are intact).",
                    file.string(), error.what()));
  }
}

std::array<int, 3> version_numbers(const std::string& text) {
  std::array<int, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& number : numbers) {
    const auto [next, problem] = std::from_chars(at, end, number);
    if (problem != std::errc() || next == end) break;
    at = next + 1;
  }
  return numbers;
}

void check_format(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  const Json run = read_document(file);
  if (entry(run, "format") != "gfdt run")
    throw Error(fmt::format("'{}' does not describe a run of gfdt: give the folder of --out of a gfdt command.",
                            file.string()));
  const double version = number_of(run, "format_version");
  const std::string by = text_of(entry(run, "provenance"), "version");
  if (version > results::run_folder_format)
    throw Error(
        fmt::format("The run in '{}' was written by a newer gfdt{}: its format has version {}, and this "
                    "program, gfdt {}, reads versions up to {}. Use that gfdt, or a newer one.",
                    folder.string(), by.empty() ? "" : ", " + by, version, data::version(), results::run_folder_format));
}

/// Nothing if the calibration has not finished its first iteration.
std::optional<CalibrationDocuments> read_calibration(const fs::path& folder) {
  check_format(folder);
  CalibrationDocuments documents;
  documents.result = read_document(folder / "result.json");
  documents.finished = !documents.result.is_null();
  if (!documents.finished) documents.result = read_document(folder / "progress.json");
  if (documents.result.is_null()) return {};
  if (entry(documents.result, "provenance").is_null())
    documents.result["provenance"] = entry(read_document(folder / "run.json"), "provenance");
  documents.predictive = read_document(folder / "predictive.json");
  documents.name = text_of(documents.result, "name");
  if (const std::string chosen = text_of(entry(entry(documents.result, "answer"), "score"), "name");
      documents.name == "auto" && !chosen.empty())
    documents.name = chosen;  // the method that was chosen for the model
  if (documents.name.empty()) documents.name = folder.filename().string();
  return documents;
}

std::vector<fs::path> folders_of_methods(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::path& inside : folder_entries(folder, error))
    if (fs::is_directory(inside, error) && results::RunFolder::holds_run(inside)) found.push_back(inside);
  std::ranges::sort(found);
  return found;
}

/// Several calibrations: those in the list, in its order; without a list, those in the folders inside.
void read_methods(RunDocuments& run, const fs::path& folder, const Json& listed) {
  if (listed.is_array())
    for (const Json& result : listed) {
      const std::string name = text_of(result, "name");
      // Only a plain name of a folder is followed.
      const bool plain = !name.empty() && fs::path(name).filename() == name && name != "..";
      run.calibrations.push_back({name, result, plain ? read_document(folder / name / "predictive.json") : Json()});
    }
  if (!run.calibrations.empty()) return;
  std::vector<std::string> problems;
  for (const fs::path& place : folders_of_methods(folder)) {
    if (std::optional<CalibrationDocuments> documents = read_calibration(place)) {
      problems.push_back(text_of(entry(documents->result, "provenance"), "problem_text"));
      run.calibrations.push_back(std::move(*documents));
    } else {
      run.remarks.push_back(
          fmt::format("'{}' was started and has not finished its first iteration.", place.filename().string()));
    }
  }
  if (std::ranges::any_of(problems, [&](const std::string& problem) { return problem != problems[0]; }))
    throw Error(fmt::format("The folder '{}' holds runs of several problems: give the folder of one of them.",
                            folder.string()));
}

void remark_on(RunDocuments& run) {
  for (const CalibrationDocuments& calibration : run.calibrations)
    if (!calibration.finished)
      run.remarks.push_back(fmt::format(
          "The calibration ({}) has not finished: this page shows its results so far. gfdt calibrate --resume "
          "continues it.",
          method_label(calibration.name)));
  const std::string version = text_of(run.provenance(), "version");
  if (version_numbers(version) > version_numbers(data::version()))
    run.remarks.push_back(fmt::format(
        "The run was made by gfdt {}, which is newer than the gfdt {} that made this page: parts may be missing.",
        version, data::version()));
}

[[noreturn]] void fail_empty(const fs::path& folder) {
  if (results::RunFolder::holds_run(folder) || !folders_of_methods(folder).empty())
    throw Error(
        fmt::format("The run in '{}' has started, and there is nothing to show yet: wait for its first iteration, or "
                    "continue it with gfdt calibrate --resume.",
                    folder.string()));
  throw Error(fmt::format(
      "The folder '{}' {}: give the folder of --out of gfdt calibrate, jacobian, reproduce, score, response "
      "or simulate.",
      folder.string(), fs::is_empty(folder) ? "is empty" : "holds no results of gfdt"));
}

}  // namespace

bool RunDocuments::empty() const {
  return calibrations.empty() && jacobian.is_null() && reproduction.is_null() && score.is_null() &&
         response.is_null() && simulation.is_null();
}

const Json& RunDocuments::provenance() const {
  for (const Json* document : {&reproduction, &jacobian, &response, &score, &simulation})
    if (!document->is_null()) return entry(*document, "provenance");
  return entry(calibrations.empty() ? reproduction : calibrations[0].result, "provenance");
}

RunDocuments read_run_documents(const fs::path& folder) {
  std::error_code problem;
  if (!fs::exists(folder, problem)) throw Error(fmt::format("There is no folder '{}'.", folder.string()));
  if (!fs::is_directory(folder, problem))
    throw Error(fmt::format("'{}' is a file: give the folder of the run that it is in.", folder.string()));
  RunDocuments run;
  try {
    run.jacobian = read_document(folder / "jacobian.json");
    run.reproduction = read_document(folder / "reproduce.json");
    run.score = read_document(folder / "score.json");
    run.response = read_document(folder / "response.json");
    run.simulation = read_document(folder / "simulate.json");
    if (results::RunFolder::holds_run(folder)) {
      if (std::optional<CalibrationDocuments> one = read_calibration(folder))
        run.calibrations.push_back(std::move(*one));
    } else {
      const Json comparison = read_document(folder / "comparison.json");
      read_methods(run, folder,
                   comparison.is_null() ? entry(run.reproduction, "calibrations") : entry(comparison, "comparison"));
    }
    if (run.empty()) fail_empty(folder);
  } catch (const fs::filesystem_error& error) {
    throw Error(fmt::format("The folder '{}' cannot be read: {}.", folder.string(), error.code().message()));
  }
  remark_on(run);
  return run;
}

}  // namespace gfdt::report

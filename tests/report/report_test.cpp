#include "gfdt/report/report.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/sections.hpp"
#include "page_parts.hpp"
#include "sample_run.hpp"

namespace gfdt::report {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const Json run_json{{"format", "gfdt run"}, {"format_version", 1}, {"provenance", sample_provenance()}};

std::string error_of(const fs::path& folder) {
  try {
    read_run_documents(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunDocuments, FoldersThatAreNone) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(folder.path() / "missing"), HasSubstr("There is no folder"));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("is empty: give the folder of --out"));
  folder.file("notes.txt", "hello");
  EXPECT_THAT(error_of(folder.path()), HasSubstr("holds no results of gfdt"));
  EXPECT_THAT(error_of(folder.path() / "notes.txt"), HasSubstr("is a file: give the folder"));
}

TEST(RunDocuments, HalfWrittenOnes) {
  const TemporaryFolder folder;
  folder.file("run.json", run_json.dump());
  EXPECT_THAT(error_of(folder.path()), HasSubstr("nothing to show yet"));
  folder.file("result.json", sample_calibration().dump().substr(0, 200));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("result.json' is damaged"));
  folder.file("result.json", "[]");
  EXPECT_THAT(error_of(folder.path()), HasSubstr("result.json' is damaged"));
  folder.file("result.json", sample_calibration().dump());
  EXPECT_EQ(error_of(folder.path()), "no error");
  folder.file("run.json", "{}");
  EXPECT_THAT(error_of(folder.path()), HasSubstr("does not describe a run of gfdt"));
}

TEST(RunDocuments, NewerOnes) {
  const TemporaryFolder folder;
  Json newer = run_json;
  newer["format_version"] = 3;
  folder.file("run.json", newer.dump());
  folder.file("result.json", sample_calibration().dump());
  EXPECT_THAT(error_of(folder.path()), HasSubstr("written by a newer gfdt"));
  // Of the same format, by a newer program: a page with a remark.
  Json result = sample_calibration();
  result["provenance"]["version"] = "99.0.0";
  folder.file("run.json", run_json.dump());
  folder.file("result.json", result.dump());
  EXPECT_THAT(read_run_documents(folder.path()).remarks,
              ElementsAre(HasSubstr("made by gfdt 99.0.0, which is newer than")));
}

TEST(RunDocuments, OneUnderWayIsShownAsSuch) {
  const TemporaryFolder folder;
  folder.file("run.json", run_json.dump());
  folder.file("progress.json", sample_calibration().dump());
  const RunDocuments run = read_run_documents(folder.path());
  ASSERT_EQ(run.calibrations.size(), 1u);
  EXPECT_FALSE(run.calibrations[0].finished);
  EXPECT_EQ(names(page_of(run))[0], "remarks");
  EXPECT_THAT(run.remarks, ElementsAre(HasSubstr("has not finished")));
}

TEST(RunDocuments, MethodsOfAComparisonAreReadFromItsListOrFromTheirFolders) {
  const TemporaryFolder folder;
  for (const char* method : {"kgmm", "gaussian"}) {
    folder.file(std::string(method) + "/run.json", run_json.dump());
    folder.file(std::string(method) + "/result.json", sample_calibration(method).dump());
    folder.file(std::string(method) + "/predictive.json", sample_predictive().dump());
  }
  EXPECT_EQ(read_run_documents(folder.path()).calibrations[0].name, "gaussian");
  folder.file("comparison.json",
              Json{{"comparison", Json::array({sample_calibration("kgmm"), sample_calibration("gaussian")})}}.dump());
  const RunDocuments run = read_run_documents(folder.path());
  ASSERT_EQ(run.calibrations.size(), 2u);
  EXPECT_EQ(run.calibrations[0].name, "kgmm");
  EXPECT_EQ(run.calibrations[1].predictive, sample_predictive());
}

TEST(RunDocuments, RunsOfSeveralProblemsAreNoComparison) {
  const TemporaryFolder folder;
  for (const char* name : {"a-run", "b-run"}) {
    Json result = sample_calibration();
    result["provenance"]["problem_text"] = name;
    folder.file(std::string(name) + "/run.json", run_json.dump());
    folder.file(std::string(name) + "/result.json", result.dump());
  }
  EXPECT_THAT(error_of(folder.path()), HasSubstr("give the folder of one of them"));
  EXPECT_EQ(error_of(folder.path() / "a-run"), "no error");
}

TEST(Report, OfACalibration) {
  RunDocuments run = calibrations({"kgmm"});
  EXPECT_THAT(names(page_of(run)),
              ElementsAre("posterior", "objective", "convergence", "jacobian", "cost", "provenance"));
  run.calibrations[0].predictive = sample_predictive();
  run.calibrations[0].result["answer"] = {{"window", sample_jacobian()["window"]},
                                          {"score", sample_jacobian()["score"]}};
  const Page page = page_of(run);
  EXPECT_THAT(names(page), ElementsAre("posterior", "objective", "density", "convergence", "jacobian", "certificate",
                                       "cost", "provenance"));
  EXPECT_EQ(page.title, "Calibration of sample");
  EXPECT_EQ(page.subtitle, "2026-01-02 03:04 UTC · gfdt 0.1.0");
  EXPECT_EQ(page.verdicts.size(), 1u);
}

TEST(Report, ShowsEveryTermOfTheObjective) {
  const std::optional<Section> section = objective_section(calibrations({"kgmm"}));
  ASSERT_TRUE(section);
  const auto* details = std::get_if<Folded>(&section->blocks.back());
  ASSERT_TRUE(details);
  const auto* table = std::get_if<Table>(&details->blocks.at(1));
  ASSERT_TRUE(table);
  const auto texts = [&](std::size_t row) {
    std::vector<std::string> cells;
    for (const Cell& cell : table->rows.at(row)) cells.push_back(cell.text);
    return cells;
  };
  EXPECT_THAT(texts(0), ElementsAre("mean", "1.000 ± 0.080", "1.100 ± 0.060", "0.1", "0.1", "100", "+1.00", "1.000"));
  EXPECT_THAT(texts(1), ElementsAre(nasty, "2.00 ± 0.16", "1.60 ± 0.12", "-0.4", "0.2", "25", "-2.00", "4.000"));
  EXPECT_EQ(texts(2).back(), "5.000");
}

TEST(Report, TheStatisticsAreBesideTheirTargets) {
  const std::optional<Section> section = objective_section(calibrations({"kgmm"}));
  ASSERT_TRUE(section);
  const Table* table = nullptr;
  for (const Block& block : section->blocks)
    if (const auto* found = std::get_if<Table>(&block)) table = found;
  ASSERT_TRUE(table);
  EXPECT_THAT(table->heading,
              ElementsAre("statistic", "data (target)", "first guess", "calibrated model", "deviation"));
  EXPECT_EQ(table->rows[0][3].text, "1.100 ± 0.060");
  EXPECT_EQ(table->rows[1][4].text, "-2.00");
}

TEST(Report, ThePathIsNormalisedByItsBeginning) {
  const Page page = page_of(calibrations({"kgmm", "finite-difference"}));
  const Figure* statistics = figure_named(page, "statistics");
  ASSERT_TRUE(statistics);
  // From 2 to 1.1 with the target 1; from 4 to 1.6 with the target 2. Two methods.
  EXPECT_EQ(statistics->table.columns[7][0], 1.0);
  EXPECT_NEAR(statistics->table.columns[7][1].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(statistics->panels.size(), 2u);
  EXPECT_EQ(statistics->keys.size(), 3u);
  const Figure* parameters = figure_named(page, "parameters");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->table.columns[5], Json({1.0, 0.0, 1.0, 0.0, -1.0, 0.0, -1.0, 0.0}));
}

TEST(Report, TheMismatchHasTheErrorOfTheSimulation) {
  const CalibrationPath path = path_of(calibrations({"kgmm"}).calibrations[0]);
  ASSERT_EQ(path.points.size(), 2u);
  EXPECT_NEAR(path.points[0].mismatch, std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(path.points[0].mismatch_error, std::hypot(1 * 0.06, 2 * 0.12) / std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(path.noise, std::sqrt(0.01 + 0.04), 1e-12);
}

TEST(Report, OfAJacobian) {
  RunDocuments run;
  run.jacobian = sample_jacobian();
  const Page page = page_of(run);
  EXPECT_THAT(names(page), ElementsAre("jacobian", "step-response", "certificate", "cost", "provenance"));
  const Figure* steps = figure_named(page, "step-responses");
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->table.columns[4], Json({0.0, 0.8, 1.4, 1.5}));
  // Band, line and the entry in its window.
  ASSERT_EQ(steps->panels[0].traces.size(), 3u);
  EXPECT_EQ(steps->panels[0].traces[2]["x"], Json::array({2.5}));
  EXPECT_EQ(steps->panels[0].layout["shapes"][0]["x0"], 2.0);
  const Figure* kernels = figure_named(page, "kernels");
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->table.columns[4], Json({1.0, 0.7, 0.3, 0.05}));
  EXPECT_EQ(kernels->panels[0].traces.size(), 2u);
}

TEST(Report, KnowsWhatTheParametersShouldBe) {
  RunDocuments run = calibrations({"kgmm"});
  run.reproduction = {{"experiment", "scalar"}, {"truth", {{"p", 0.6}, {nasty, 3.0}}}};
  const ParameterReference reference = reference_of(run, free_parameters(run));
  EXPECT_EQ(reference.words, "the true values");
  EXPECT_THAT(reference.values, ElementsAre(0.6, 3.0));
}

TEST(Report, EntriesOfOtherKindsCostNoMoreThanTheirPart) {
  for (const char* key : {"targets", "iterations", "parameters", "statistics", "weak_directions", "provenance"})
    for (const Json& value : {Json(), Json(3), Json("text"), Json::array({1, "a", nullptr}), Json::object()}) {
      RunDocuments run = calibrations({"kgmm"});
      run.calibrations[0].result[key] = value;
      run.calibrations[0].predictive = {{"series", value}, {"statistics", value}};
      EXPECT_TRUE(html(page_of(run)).ends_with("</html>\n")) << key << " " << value;
    }
  for (const char* key : {"observables", "parameters", "jacobian", "window", "step_response", "score", "findings"}) {
    RunDocuments run;
    run.jacobian = sample_jacobian();
    run.jacobian[key] = Json::array({1, "a", nullptr});
    EXPECT_TRUE(html(page_of(run)).ends_with("</html>\n")) << key;
  }
}

TEST(Report, IsWrittenIntoTheFolderOrWhereItIsAskedFor) {
  const TemporaryFolder folder;
  folder.file("jacobian.json", sample_jacobian().dump());
  EXPECT_EQ(write_report(folder.path()), folder.path() / "report.html");
  EXPECT_TRUE(fs::exists(folder.path() / "report.html"));
  EXPECT_EQ(write_report(folder.path(), folder.path() / "other.html"), folder.path() / "other.html");
  EXPECT_TRUE(fs::exists(folder.path() / "other.html"));
}

}  // namespace
}  // namespace gfdt::report

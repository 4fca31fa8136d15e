#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/parameter_table.hpp"
#include "gfdt/report/report.hpp"
#include "gfdt/report/sections.hpp"
#include "page_parts.hpp"

namespace gfdt::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::size_t count_traces(const Panel& panel, const std::string& group) {
  std::size_t count = 0;
  for (const Json& trace : panel.traces) count += trace["legendgroup"] == group;
  return count;
}

TEST(PairPlot, HasDensitiesEllipsesAndCorrelations) {
  const Page page = page_of(calibrations({"auto"}));
  const Figure* figure = figure_named(page, "posterior-pairs");
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->cells, 2);
  ASSERT_EQ(figure->panels.size(), 1u);
  const Panel& panel = figure->panels[0];
  // Band and line of two densities, two ellipses and their middle. The guess of p is beyond the axis of its density.
  EXPECT_EQ(count_traces(panel, "calibrated model"), 2u * 2 + 3);
  EXPECT_EQ(count_traces(panel, "first guess"), 2u);
  std::vector<std::string> texts;
  for (const Json& text : panel.layout["annotations"]) texts.push_back(text["text"]);
  EXPECT_THAT(texts, ElementsAre("p = 0.500 ± 0.050", "first guess 1 ▸", "ρ = 0.40", HasSubstr("3.00 ± 0.50")));
  EXPECT_EQ(figure->keys[0].words, "calibrated model");
  EXPECT_EQ(figure->keys[1].words, "first guess");
}

TEST(PairPlot, AnEllipseContainsItsProbability) {
  const PosteriorPicture picture = posterior_picture(calibrations({"auto"}));
  const Json traces = pair_traces(picture, 0, 1);
  // The outer one, for 95 %: (x − m)ᵀ C⁻¹ (x − m) = −2 ln 0.05 with C = (0.0025 0.01; 0.01 0.25).
  const double determinant = 0.0025 * 0.25 - 0.01 * 0.01;
  for (std::size_t i = 0; i < traces[0]["x"].size(); ++i) {
    const double x = traces[0]["x"][i].get<double>() - 0.5, y = traces[0]["y"][i].get<double>() - 3;
    EXPECT_NEAR((0.25 * x * x - 2 * 0.01 * x * y + 0.0025 * y * y) / determinant, -2 * std::log(0.05), 1e-9);
  }
}

TEST(PairPlot, AParameterThatIsNotDeterminedIsLeftOut) {
  RunDocuments run = calibrations({"auto"});
  run.calibrations[0].result["parameters_covariance"] =
      Json::array({Json::array({0.0025, nullptr}), Json::array({nullptr, nullptr})});
  const Figure figure = pair_plot(posterior_picture(run));
  EXPECT_EQ(figure.cells, 1);
  EXPECT_THAT(figure.caption, HasSubstr("not determined (1 of 2)"));
}

TEST(Parameters, AFewAreBesideTheirPosterior) {
  const std::optional<Section> section = posterior_section(calibrations({"auto"}));
  ASSERT_TRUE(section);
  const auto* columns = std::get_if<SideBySide>(&section->blocks[0]);
  ASSERT_TRUE(columns);
  const auto* table = std::get_if<Table>(&columns->left[0]);
  ASSERT_TRUE(table);
  EXPECT_THAT(table->heading, ElementsAre("parameter", "first guess", "answer"));
  EXPECT_EQ(table->rows[0][2].text, "0.500 ± 0.050");
}

TEST(Parameters, IntervalsAreShownWhereTheyAreKnown) {
  RunDocuments run = calibrations({"auto"});
  run.calibrations[0].result["parameters_interval"] = {{"p", {0.4123, 0.6}}, {nasty, {nullptr, 4.0}}};
  const Table table = parameter_table(run, {"p", nasty});
  EXPECT_EQ(table.heading.back(), "95 % interval");
  EXPECT_EQ(table.rows[0].back().text, "0.412 … 0.600");
  EXPECT_EQ(table.rows[1].back().text, "? … 4.00");
}

TEST(Parameters, ManyHaveASortedPlotAndTheStrongestPairs) {
  const Page page = page_of(large_run(80));
  EXPECT_FALSE(figure_named(page, "posterior-pairs"));
  const Figure* dots = figure_named(page, "parameter-overview");
  ASSERT_TRUE(dots);
  ASSERT_EQ(dots->panels.size(), 2u);
  const Json shares = dots->panels[0].traces[0]["x"];
  ASSERT_EQ(shares.size(), 80u);
  for (std::size_t i = 1; i < shares.size(); ++i) EXPECT_LT(shares[i - 1], shares[i]);
  EXPECT_NEAR(shares[0].get<double>(), 0.01, 1e-12);
  const Figure* pairs = figure_named(page, "strongest-correlations");
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->panels.size(), pairs_drawn);
  EXPECT_EQ(pairs->panels[0].layout["title"]["text"], "ρ = −0.95");
  const Figure* search = figure_named(page, "parameters");
  ASSERT_TRUE(search);
  EXPECT_LE(search->panels.size(), 12u);
}

TEST(Parameters, OfManyThoseThatAreDeterminedAreDrawn) {
  RunDocuments run = large_run(20);
  Json& errors = run.calibrations[0].result["parameters_error"];
  for (const char* name : {"k3", "k19"}) errors[name] = nullptr;
  const Figure some = parameter_dots(run.calibrations[0], free_parameters(run));
  EXPECT_EQ(some.panels[0].traces[0]["x"].size(), 18u);
  EXPECT_THAT(some.caption, HasSubstr("Not shown: 2 of 20 parameters"));
  for (auto& item : errors.items()) item.value() = nullptr;
  const Figure none = parameter_dots(run.calibrations[0], free_parameters(run));
  ASSERT_EQ(none.panels.size(), 1u);
  EXPECT_EQ(none.panels[0].traces[0]["x"], Json(std::vector<double>(20, 1.0)));
  EXPECT_THAT(none.caption, HasSubstr("Standard errors are not available"));
}

}  // namespace
}  // namespace gfdt::report

#include "gfdt/report/dot_plot.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/report/labels.hpp"
#include "gfdt/report/matrix_table.hpp"

namespace gfdt::report {
namespace {

TEST(DotPlot, ValuesBeyondItsEndAreTrianglesThere) {
  const Panel panel = dot_plot({.across = "x",
                                .rows = {"a", "b", "c", "d"},
                                .series = {{"g", "c0", "circle", {1, 50, -50, std::nan("")}, {}}},
                                .reach = 4});
  EXPECT_EQ(panel.traces[0]["marker"]["symbol"], Json({"circle", "triangle-right", "triangle-left"}));
  EXPECT_EQ(panel.traces[0]["x"], Json({1.0, 0.97 * 4, -0.97 * 4}));
  EXPECT_EQ(panel.traces[0]["y"], Json({0.0, 1.0, 2.0}));
}

TEST(DotPlot, RowsAreFromTopToBottomAndCloserTogetherIfThereAreMany) {
  const Panel panel = dot_plot({.across = "x", .rows = {"a", "b"}, .series = {{"g", "c0", "circle", {1, 2}, {}}}});
  EXPECT_EQ(panel.layout["yaxis"]["ticktext"], Json({"a", "b"}));
  EXPECT_GT(panel.layout["yaxis"]["range"][0], panel.layout["yaxis"]["range"][1]);
  EXPECT_LT(dot_plot_height(80), 4 * dot_plot_height(14));
  EXPECT_EQ(dot_plot_height(1000), dot_plot_height(most_dot_rows));
}

TEST(MatrixTable, ALargeOneIsAListOfItsLargestEntries) {
  std::vector<std::vector<double>> matrix(80, std::vector<double>(80, 0.0));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 80; ++i) {
    names.push_back("k" + std::to_string(i));
    matrix[i][i] = 4;
  }
  matrix[3][7] = matrix[7][3] = -3;
  const Table table = matrix_table("Covariance", "key", names, matrix);
  EXPECT_EQ(table.rows.size(), largest_entries);
  EXPECT_EQ(table.rows[0][0].text, "k3");
  EXPECT_EQ(table.rows[0][1].text, "k7");
  EXPECT_EQ(table.rows[0][3].text, "-0.750");
  EXPECT_EQ(matrix_table("Covariance", "key", {names.begin(), names.begin() + 5}, matrix).rows.size(), 5u);
}

TEST(Labels, SayWhatACalibrationIs) {
  RunDocuments run;
  run.calibrations.push_back({"auto", Json(), Json()});
  EXPECT_EQ(calibration_labels(run), std::vector<std::string>{"calibrated model"});
  EXPECT_EQ(calibration_prefix(run, 0), "");
  run.calibrations.push_back({"finite-difference", Json(), Json()});
  EXPECT_EQ(calibration_labels(run), (std::vector<std::string>{"automatic choice", "finite-difference"}));
  EXPECT_EQ(calibration_prefix(run, 1), "Finite-difference: ");
  EXPECT_EQ(method_label("kgmm"), "KGMM score");
  EXPECT_EQ(method_label("of a later version"), "of a later version");
}

}  // namespace
}  // namespace gfdt::report

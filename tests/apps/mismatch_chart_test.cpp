#include "mismatch_chart.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "styled_text.hpp"

namespace gfdt::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> plain_chart(const std::vector<ChartStep>& steps, double noise, bool unicode,
                                     std::size_t columns = 80) {
  std::vector<std::string> lines = mismatch_chart(steps, noise, unicode, columns);
  for (std::string& line : lines) line = without_styles(line);
  return lines;
}

TEST(MismatchChart, IsLogarithmic) {
  // From 1 to 1e-5 over six rows of eight parts: four fifths of 47 parts, above the one that the lowest has.
  EXPECT_THAT(plain_chart({{1.0}, {0.1}, {1e-5}}, 0, true), ElementsAre("          1 ┤██",        //
                                                                        "            ┤██ ▇▇",     //
                                                                        "            ┤██ ██",     //
                                                                        "            ┤██ ██",     //
                                                                        "            ┤██ ██",     //
                                                                        "      1e-05 ┤██ ██ ▁▁",  //
                                                                        "             0      2"));
}

TEST(MismatchChart, ShowsTheNoiseAndIsAsciiWhereItMustBe) {
  EXPECT_THAT(plain_chart({{1.0}, {0.01, false}, {0.001}}, 0.001, false),
              ElementsAre("          1 |##",                //
                          "            |##",                //
                          "            |##",                //
                          "            |## ..",             //
                          "            |## ##",             //
                          "      0.001 |##-##-..-- noise",  //
                          "             0      2"));
}

TEST(MismatchChart, LeavesGapsForWhatIsNotKnown) {
  const std::vector<std::string> lines = plain_chart({{1.0}, {std::nan("")}, {0.1}}, 0, true);
  EXPECT_EQ(lines[5], "        0.1 ┤██    ▁▁");
}

TEST(MismatchChart, FitsIntoTheTerminal) {
  std::vector<ChartStep> steps;
  for (int i = 0; i < 300; ++i) steps.push_back({std::exp(-0.01 * i)});
  for (const std::string& line : plain_chart(steps, 0.1, true, 60)) EXPECT_LE(display_width(line), 60U) << line;
}

TEST(MismatchChart, NeedsTwoSteps) {
  EXPECT_THAT(mismatch_chart({}, 0.1, true, 80), IsEmpty());
  EXPECT_THAT(mismatch_chart({{1.0}}, 0.1, true, 80), IsEmpty());
  EXPECT_THAT(mismatch_chart({{1.0}, {std::nan("")}}, 0.1, true, 80), IsEmpty());
}

}  // namespace
}  // namespace gfdt::app

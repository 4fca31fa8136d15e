#include "gfdt/report/convergence_figure.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace gfdt::report {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Convergence one_method() {
  return {"Convergence", {"m"}, {"mu"},
          "the answer",  0.01,  {{"exact", {0, 1, 2}, {1, 0.1, 0.01}, {{-0.5, 0.25, 0}}, {{4, 1, 0}}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Rescaled, BeginsAtOneOfItsSign) {
  EXPECT_THAT(rescaled({-4, 2, -1}), ElementsAre(DoubleEq(-1), DoubleEq(0.5), DoubleEq(-0.25)));
  EXPECT_THAT(rescaled({4, 2}), ElementsAre(DoubleEq(1), DoubleEq(0.5)));
}

TEST(Rescaled, HasNothingToSayOfWhatWasRightFromTheStart) {
  EXPECT_THAT(rescaled({0, 1}), IsEmpty());
  EXPECT_THAT(rescaled({}), IsEmpty());
  EXPECT_THAT(rescaled({std::numeric_limits<double>::quiet_NaN(), 1}), IsEmpty());
}

// Two decades and a tenth on both sides on 374 pixels from 64 on; steps on 320 pixels from 70 on.
TEST(ConvergenceSvg, DrawsTheMismatchOnALogarithmicScale) {
  const std::string svg = convergence_svg(one_method());
  EXPECT_THAT(svg, HasSubstr("d=\"M70.0 81.0L230.0 251.0L390.0 421.0\""));
  EXPECT_THAT(svg, HasSubstr("<path class=\"noise\" d=\"M70.0 421.0h320.0\"/>"));
  for (const char* tick : {">1</text>", ">0.1</text>", ">0.01</text>", ">0.05</text>"})
    EXPECT_THAT(svg, HasSubstr(tick));
}

// From −1 to 0.5 and from −0.2 to 1, with 0.04 of that on both sides, on 150 pixels.
TEST(ConvergenceSvg, DrawsRescaledDeviations) {
  const std::string svg = convergence_svg(one_method());
  EXPECT_THAT(svg, HasSubstr("d=\"M450.0 208.4L610.0 69.6L770.0 115.9\""));
  EXPECT_THAT(svg, HasSubstr("d=\"M450.0 293.6L610.0 380.4L770.0 409.3\""));
  for (const char* words : {">m</text>", ">mu</text>", "Parameters, from the answer", "<title>Convergence</title>"})
    EXPECT_THAT(svg, HasSubstr(words));
}

TEST(ConvergenceSvg, GivesMethodsColoursAndComponentsDashes) {
  Convergence convergence = one_method();
  convergence.statistics.push_back("v");
  convergence.methods[0].statistics.push_back({1, 0.5, 0});
  convergence.methods.push_back(convergence.methods[0]);
  convergence.methods[1].method = "finite-difference";
  const std::string svg = convergence_svg(convergence);
  // The mismatch, two statistics, one parameter and the legend.
  EXPECT_EQ(count(svg, "class=\"line c0\""), 5);
  EXPECT_EQ(count(svg, "class=\"line c1\""), 5);
  EXPECT_EQ(count(svg, "class=\"line c2\""), 0);
  EXPECT_EQ(count(svg, "stroke-dasharray=\"7 3\""), 3);  // of v, and in its legend
  EXPECT_THAT(svg, HasSubstr(">finite-difference</text>"));
}

TEST(ConvergenceSvg, StandsWhatHasNoPlace) {
  Convergence convergence = one_method();
  convergence.noise.reset();
  convergence.statistics = {"x < 2 & y"};
  convergence.methods[0].mismatch = {1, 0, std::numeric_limits<double>::quiet_NaN()};
  convergence.methods[0].parameters = {{0, 0, 0}};
  convergence.methods[0].statistics = {{1, 1e9, std::numeric_limits<double>::infinity()}};
  convergence.methods.push_back({"failed", {}, {}, {}, {}});
  const std::string svg = convergence_svg(convergence);
  EXPECT_THAT(svg, HasSubstr(">x &lt; 2 &amp; y</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"noise\"")));
  EXPECT_THAT(convergence_svg({}), Not(HasSubstr("nan")));
}

TEST(ConvergenceSvg, NamesNineComponentsAndCountsTheRest) {
  Convergence convergence = one_method();
  convergence.parameters.assign(12, "theta");
  EXPECT_THAT(convergence_svg(convergence), HasSubstr("and 3 more"));
}

}  // namespace
}  // namespace gfdt::report

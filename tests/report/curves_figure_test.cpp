#include "gfdt/report/curves_figure.hpp"

#include <gmock/gmock.h>

namespace gfdt::report {
namespace {

using testing::HasSubstr;
using testing::Not;

CurvePanel panel(const std::string& title) {
  return {title, "alpha", {-1, 0, 1}, {0, 1, 0}, {0.5, 1, 1.5}, {0.25, 0, 0.25}};
}

TEST(CurvesSvg, DrawsExactCurveEstimateAndBandInEveryPanel) {
  const std::string svg = curves_svg("Tangents", "tangent", {panel("mean"), panel("tail")});
  for (const char* drawn : {"<path class=\"exact\" d=\"M62.0 ", "<path class=\"estimate\" d=\"M62.0 ",
                            "<path class=\"band\" d=\"M62.0 ", "<path class=\"exact\" d=\"M398.0 ", ">mean</text>",
                            ">tail</text>", "<title>Tangents</title>", "tangent, ± 2 standard errors"})
    EXPECT_THAT(svg, HasSubstr(drawn));
}

// From 0 to 2, the upper end of the band, with a twentieth to spare on both sides, on 190 pixels from 64 on.
TEST(CurvesSvg, ScalesToTheBand) {
  const std::string svg = curves_svg("Tangents", "tangent", {panel("mean")});
  EXPECT_THAT(svg, HasSubstr("<path class=\"exact\" d=\"M62.0 245.4L192.0 159.0L322.0 245.4\"/>"));
  EXPECT_THAT(
      svg,
      HasSubstr("<path class=\"band\" d=\"M62.0 159.0L192.0 159.0L322.0 72.6L322.0 159.0L192.0 159.0L62.0 245.4Z\"/>"));
}

TEST(CurvesSvg, EscapesNamesAndStandsConstants) {
  CurvePanel constant{"x < 2 & y", "t", {0, 1}, {3, 3}, {3, 3}, {0, 0}};
  const std::string svg = curves_svg("a > b", "estimate", {constant});
  EXPECT_THAT(svg, HasSubstr(">x &lt; 2 &amp; y</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>a &gt; b</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace gfdt::report

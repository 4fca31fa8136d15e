#include "gfdt/report/marginals_figure.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace gfdt::report {
namespace {

using certificate::Marginal;
using certificate::Verdict;
using testing::HasSubstr;
using testing::Not;

Marginal marginal(const std::string& name, double distance = 0.125, Verdict verdict = Verdict::passed) {
  return {name, distance, 0.02, verdict, {0, 1, 2, 3, 4}, {0.1, 0.2, 0.4, 0.3}, {0, 0.4, 0.4, 0.2}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Every opened element is closed in order: enough of XML for what the figure writes.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(MarginalsSvg, HasAPanelAMarginalWithItsDistanceAndVerdict) {
  const std::string svg = marginals_svg({marginal("u1"), marginal("tau", 0.5, Verdict::failed)});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "<g>"), 2u);
  EXPECT_THAT(svg, HasSubstr("distance 0.125, noise 0.020"));
  EXPECT_THAT(svg, HasSubstr("class=\"title failed\">failed</tspan>"));
  EXPECT_THAT(svg, HasSubstr(">Langevin chains of the score</text>"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
}

TEST(MarginalsSvg, DrawsTheDensities) {
  // The plot is 260 × 150 pixels at (58, 82); the highest density, 0.4, stands at 1/1.06 of the height.
  const std::string svg = marginals_svg({marginal("x")});
  EXPECT_THAT(svg,
              HasSubstr("class=\"data\" d=\"M58.0 232.0V196.6H123.0V161.2H188.0V90.5H253.0V125.9H318.0V232.0H58.0Z\""));
  EXPECT_THAT(svg, HasSubstr("class=\"langevin\" d=\"M90.5 232.0L155.5 90.5L220.5 90.5L285.5 161.2\""));
}

TEST(MarginalsSvg, EscapesNames) {
  const std::string svg = marginals_svg({marginal("a<b>&c")});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;&amp;c"));
}

TEST(MarginalsSvg, OfManyShowsTheFarthest) {
  std::vector<Marginal> many;
  for (int i = 0; i < 30; ++i) many.push_back(marginal(fmt::format("x{}", i), 0.01 * i));
  const std::string svg = marginals_svg(many);
  EXPECT_EQ(count(svg, "<g>"), most_panels);
  EXPECT_THAT(svg, HasSubstr("the 24 of 30 marginals"));
  EXPECT_THAT(svg, HasSubstr(">x6<"));
  EXPECT_THAT(svg, Not(HasSubstr(">x5<")));
  EXPECT_LT(svg.find(">x6<"), svg.find(">x29<"));
}

TEST(MarginalsSvg, NoMarginalsAndNoChainsStillGiveAPicture) {
  EXPECT_TRUE(well_formed(marginals_svg({})));
  Marginal empty = marginal("x");
  empty.data.assign(4, 0.0);
  empty.langevin.assign(4, 0.0);
  EXPECT_TRUE(well_formed(marginals_svg({empty})));
  EXPECT_THAT(marginals_svg({empty}), Not(HasSubstr("nan")));
}

TEST(MarginalsText, DrawsBlocksOnOneScale) {
  EXPECT_EQ(marginals_text({marginal("x")}),
            "x from 0 to 4: distance 0.125 (noise 0.020), passed\n"
            "  data     ▂▄█▆\n"
            "  Langevin  ██▄\n");
}

TEST(MarginalsText, OfManySaysHowManyAreShown) {
  const std::string text = marginals_text(std::vector<Marginal>(30, marginal("x")));
  EXPECT_EQ(count(text, "\n"), 3 * most_panels + 1);
  EXPECT_THAT(text, HasSubstr("The 24 of 30 marginals"));
}

}  // namespace
}  // namespace gfdt::report

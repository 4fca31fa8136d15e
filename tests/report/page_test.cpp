#include "gfdt/report/page.hpp"

#include <gmock/gmock.h>

#include "gfdt/report/document.hpp"
#include "gfdt/report/html_text.hpp"
#include "gfdt/report/plot.hpp"
#include "sample_run.hpp"

namespace gfdt::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The data of all figures, as a browser finds it.
Json figures_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"figures\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

Page one_of_each() {
  Figure figure{.name = "figure", .title = nasty, .caption = nasty, .keys = {{nasty, nasty, "c0", "line"}}};
  figure.table = DataTable({nasty, "y"});
  figure.table.add({nasty, 1.5});
  figure.table.add({"b", nullptr});
  Panel panel;
  panel.traces.push_back(line_trace({0, 1}, {1, no_number}, {.colour = "c0", .group = nasty}, {nasty, nasty}));
  panel.layout = axes(nasty, nasty, nasty);
  figure.panels = {panel, panel};
  return {.title = nasty,
          .subtitle = nasty,
          .verdicts = {{Outcome::warning, nasty, nasty}},
          .sections = {{"one", nasty, {Paragraph{nasty}, Table{nasty, {nasty}, {{nasty}, {{nasty, "failed"}}}}}},
                       {"two",
                        "Two",
                        {Checks{{{nasty, "failed", nasty, nasty}}}, Quotation{nasty, nasty},
                         Folded{nasty, {SideBySide{{Paragraph{nasty}}, {figure}}}}}}},
          .made_by = nasty};
}

TEST(HtmlText, EscapesWhatCouldBeATagOrEndAnAttribute) {
  EXPECT_EQ(html_escaped("a<b>&\"'ü"), "a&lt;b&gt;&amp;&quot;&#39;ü");
}

TEST(HtmlText, JsonCannotEndItsElementAndReadsBack) {
  const Json value{{"</script>", "<!-- & ü"}};
  const std::string text = json_in_html(value);
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_EQ(Json::parse(text), value);
}

TEST(Page, NamesStayNames) {
  const std::string page = html(one_of_each());
  EXPECT_EQ(count(page, nasty), 0u);
  // The data, the library if there is one, two scripts.
  EXPECT_EQ(count(page, "</script>"), figures_can_be_drawn() ? 4u : 3u);
}

TEST(Page, KeepsTheNoticeOfTheLibrary) {
  EXPECT_EQ(count(html(one_of_each()), "* Licensed under the MIT license"), figures_can_be_drawn() ? 1u : 0u);
}

TEST(Plot, LogarithmicAxesOfManyDecadesHaveTicksAtWholeOnes) {
  const auto ticks = [](const Values& heights) {
    Panel panel;
    panel.traces.push_back(line_trace({0, 1, 2}, heights, {.colour = "c0", .group = "a"}));
    make_logarithmic(panel);
    EXPECT_EQ(panel.layout["yaxis"]["type"], "log");
    return panel.layout["yaxis"]["dtick"];
  };
  EXPECT_EQ(ticks({0.002, 1, no_number}), "D2");
  EXPECT_EQ(ticks({0.002, 1, 0}), "D2");
  EXPECT_EQ(ticks({0.0009, 1, no_number}), 1);
}

TEST(Page, FetchesNothing) {
  const std::string page = html(one_of_each());
  EXPECT_EQ(count(page, "content=\"default-src 'none'"), 1u);
  for (const char* tag : {"<script src", "<link rel=\"stylesheet\"", "<img", "@import"})
    EXPECT_EQ(count(page, tag), 0u) << tag;
}

TEST(Page, FiguresAreDataWithTheirTable) {
  const Json figures = figures_of(html(one_of_each()));
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0]["table"]["heading"], Json({nasty, "y"}));
  EXPECT_EQ(figures[0]["table"]["columns"][1], Json({1.5, nullptr}));
  if (!figures_can_be_drawn()) return;
  ASSERT_EQ(figures[0]["panels"].size(), 2u);
  EXPECT_EQ(figures[0]["panels"][0]["data"][0]["y"], Json({1.0, nullptr}));
}

TEST(Page, TheVerdictHasAnIconAndAWordBesideItsColour) {
  const auto header = [](Outcome outcome) {
    const std::string page =
        html({.title = "t", .subtitle = "", .verdicts = {{outcome, "It fits."}}, .sections = {}, .made_by = ""});
    return page.substr(page.find("<header>"), page.find("</header>") - page.find("<header>"));
  };
  EXPECT_THAT(header(Outcome::passed), HasSubstr("verdict passed"));
  EXPECT_THAT(header(Outcome::passed), HasSubstr("✓</span> Passed</strong> It fits."));
  EXPECT_THAT(header(Outcome::warning), HasSubstr("!</span> Warning</strong>"));
  EXPECT_THAT(header(Outcome::failed), HasSubstr("✗</span> Failed</strong>"));
}

TEST(Page, TablesHaveCaptionsAndHeadingsOfRowsAndColumns) {
  Section section{"one", "One", {Table{"Numbers", {"name", "value"}, {{"a", "1 ± 2"}}}}};
  const std::string page = html({.title = "t", .subtitle = "", .verdicts = {}, .sections = {section}, .made_by = ""});
  EXPECT_EQ(count(page, "<caption>Numbers</caption>"), 1u);
  EXPECT_EQ(count(page, "<th scope=\"col\">"), 2u);
  EXPECT_EQ(count(page, "<th scope=\"row\">a</th><td>1&nbsp;±&nbsp;2</td>"), 1u);
  EXPECT_EQ(count(page, "class=\"wide long\""), 0u);
  std::get<Table>(section.blocks[0]).rows.resize(30, {"a", "1"});
  EXPECT_EQ(count(html({.title = "t", .subtitle = "", .verdicts = {}, .sections = {section}, .made_by = ""}),
                  "class=\"wide long\""),
            1u);
}

TEST(Page, LongListsInProseAreFolded) {
  const std::string list = "a1, a2, a3, a4, a5, a6, a7, a8 and a9 are weak.";
  const Section section{"one", "One", {Paragraph{list}}};
  const std::string page = html({.title = "t", .subtitle = "", .verdicts = {}, .sections = {section}, .made_by = ""});
  EXPECT_EQ(count(page, "a1, a2, a3, … and 6 more are weak. <details"), 1u);
  EXPECT_EQ(count(page, list + "</details>"), 1u);
}

TEST(Page, WithoutTheLibraryItSaysThatFiguresAreMissing) {
  EXPECT_EQ(count(html(one_of_each()), "Figures are missing"), figures_can_be_drawn() ? 0u : 1u);
}

TEST(Plot, TextOfTheUserIsNoMarkupAndIsCut) {
  EXPECT_EQ(plot_text("<b>x"), "&lt;b&gt;x");
  EXPECT_EQ(plot_text(std::string(60, 'x')), std::string(48, 'x') + "…");
  EXPECT_EQ(plot_text("ü" + std::string(60, 'x')), "ü" + std::string(47, 'x') + "…");
}

TEST(Plot, InnerTicksAreRoundAndAwayFromTheEnds) {
  EXPECT_THAT(inner_ticks(0, 1), testing::Pointwise(testing::DoubleNear(1e-12), {0.2, 0.4, 0.6, 0.8}));
  EXPECT_THAT(inner_ticks(-1, 1), testing::Pointwise(testing::DoubleNear(1e-12), {-0.5, 0.0, 0.5}));
  EXPECT_EQ(inner_ticks(1, 1).size(), 0u);
  for (double low : {-7e-5, 0.9981, 123.4, -3e6})
    for (double width : {1e-3, 0.17, 2.0, 9e4}) {
      const Values ticks = inner_ticks(low, low + width);
      EXPECT_THAT(ticks.size(), testing::AllOf(testing::Ge(1u), testing::Le(6u))) << low << " " << width;
      for (double tick : ticks) EXPECT_NEAR(tick, low + width / 2, 0.46 * width);
    }
}

TEST(Plot, ABandGoesThereAndBackAndLeavesOutWhatIsNoNumber) {
  const Json band = band_trace({0, 1, 2}, {-1, no_number, -3}, {1, 2, 3}, {.colour = "c1", .group = "a"});
  EXPECT_EQ(band["x"], Json({0.0, 2.0, 2.0, 0.0}));
  EXPECT_EQ(band["y"], Json({1.0, 3.0, -3.0, -1.0}));
}

}  // namespace
}  // namespace gfdt::report

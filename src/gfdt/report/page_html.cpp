#include <algorithm>

#include "gfdt/report/assets.hpp"
#include "gfdt/report/block_html.hpp"
#include "gfdt/report/html_text.hpp"
#include "gfdt/report/page.hpp"

namespace gfdt::report {
namespace {

void write_navigation(BlockWriter& writer, const Page& page) {
  if (page.sections.size() < 2) return;
  writer.add("<nav aria-label=\"Sections\">\n");
  for (const Section& section : page.sections)
    writer.add("<a href=\"#{}\">{}</a>\n", section.name, html_escaped(section.title));
  writer.add("</nav>\n");
}

void write_sections(BlockWriter& writer, const Page& page) {
  for (const Section& section : page.sections) {
    writer.add("<section id=\"{}\" aria-labelledby=\"{}-title\">\n<h2 id=\"{}-title\">{}</h2>\n", section.name,
               section.name, section.name, html_escaped(section.title));
    for (const Block& block : section.blocks) std::visit(writer, block);
    writer.add("</section>\n");
  }
}

bool has_figures(const std::vector<Block>& blocks) {
  return std::ranges::any_of(blocks, [](const Block& block) {
    if (const auto* folded = std::get_if<Folded>(&block)) return has_figures(folded->blocks);
    if (const auto* columns = std::get_if<SideBySide>(&block))
      return has_figures(columns->left) || has_figures(columns->right);
    return std::holds_alternative<Figure>(block);
  });
}

bool has_figures(const Page& page) {
  return std::ranges::any_of(page.sections, [](const Section& section) { return has_figures(section.blocks); });
}

}  // namespace

bool figures_can_be_drawn() { return !plotting_library().empty(); }

std::string html(const Page& page) {
  BlockWriter writer;
  // Nothing is fetched from anywhere, whatever the texts contain.
  writer.add(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src "
      "'unsafe-inline'; img-src data: blob:\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{}</style>\n<noscript><style>figure {{ display: none; }}</style></noscript>\n"
      "</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the results</a>\n",
      html_escaped(page.made_by), html_escaped(page.title), style_sheet());
  writer.add("<header>\n<h1>{}</h1>\n", html_escaped(page.title));
  if (!page.subtitle.empty()) writer.add("<p class=\"subtitle\">{}</p>\n", html_escaped(page.subtitle));
  for (const Verdict& verdict : page.verdicts) writer(verdict);
  writer.add("</header>\n");
  write_navigation(writer, page);
  writer.add("<main id=\"content\">\n");
  if (has_figures(page)) {
    writer.add("<noscript><p class=\"note\">Figures need JavaScript. The tables do not.</p></noscript>\n");
    if (!figures_can_be_drawn())
      writer.add(
          "<p class=\"note\">Figures are missing: this gfdt was built without the plotting library. Their numbers are "
          "in the tables.</p>\n");
  }
  write_sections(writer, page);
  writer.add("</main>\n<footer>{}</footer>\n", html_escaped(page.made_by));
  writer.add("<script type=\"application/json\" id=\"figures\">{}</script>\n", json_in_html(writer.figures()));
  if (figures_can_be_drawn()) writer.add("<script>{}</script>\n", plotting_library());
  writer.add("<script>{}</script>\n<script>{}</script>\n</body>\n</html>\n", table_script(), figure_script());
  return std::move(writer.text());
}

}  // namespace gfdt::report

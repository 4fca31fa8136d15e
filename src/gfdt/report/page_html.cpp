#include <fmt/format.h>

#include <algorithm>

#include "gfdt/report/assets.hpp"
#include "gfdt/report/html_text.hpp"
#include "gfdt/report/page.hpp"

namespace gfdt::report {
namespace {

const char* mark_of(const std::string& verdict) {
  if (verdict == "passed") return "✓";
  if (verdict == "failed") return "✗";
  return verdict == "unresolved" ? "?" : "–";
}

/// A number and its error stay on one line.
std::string cell_text(const std::string& text) {
  std::string result = html_escaped(text);
  constexpr std::string_view parted = " ± ";
  for (std::size_t found = result.find(parted); found != std::string::npos; found = result.find(parted, found + 1))
    result.replace(found, parted.size(), "&nbsp;±&nbsp;");
  return result;
}

std::string class_of(const std::string& kind) {
  return kind.empty() ? "" : fmt::format(" class=\"{}\"", html_escaped(kind));
}

std::size_t columns_on_paper(const Figure& figure) {
  return std::clamp<std::size_t>(figure.panels.size(), 1, figure.width > 330 ? 2 : 3);
}

/// Panels that a figure may have and still be kept on one sheet of paper.
constexpr std::size_t most_on_a_sheet = 6;

class Writer {
 public:
  std::string& text() { return text_; }
  const Json& figures() const { return figures_; }

  void operator()(const Paragraph& paragraph) {
    add("<p{}>{}</p>\n", paragraph.note ? " class=\"note\"" : "", html_escaped(paragraph.text));
  }

  void operator()(const Table& table) {
    if (!table.caption.empty()) add("<p class=\"caption\">{}</p>\n", html_escaped(table.caption));
    text_ += "<div class=\"wide\"><table>\n";
    text_ += "<thead><tr>";
    for (std::size_t i = 0; i < table.heading.size(); ++i) {
      const bool text = !table.rows.empty() && i < table.rows[0].size() && table.rows[0][i].kind == "text";
      add("<th{}>{}</th>", text ? " class=\"text\"" : "", html_escaped(table.heading[i]));
    }
    text_ += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      text_ += table.sum && i + 1 == table.rows.size() ? "<tr class=\"sum\">" : "<tr>";
      for (const Cell& cell : table.rows[i]) add("<td{}>{}</td>", class_of(cell.kind), cell_text(cell.text));
      text_ += "</tr>\n";
    }
    text_ += "</tbody></table></div>\n";
  }

  void operator()(const Checks& checks) {
    text_ += "<ul class=\"checks\">\n";
    for (const Check& check : checks.checks) {
      add("<li><span class=\"mark {}\">{}</span><b>{}</b>: {}", html_escaped(check.verdict), mark_of(check.verdict),
          html_escaped(check.name), html_escaped(check.text));
      if (!check.advice.empty()) add("<span class=\"advice\">{}</span>", html_escaped(check.advice));
      text_ += "</li>\n";
    }
    text_ += "</ul>\n";
  }

  void operator()(const Quotation& quotation) {
    add("<details><summary>{}</summary><pre>{}</pre></details>\n", html_escaped(quotation.summary),
        html_escaped(quotation.text));
  }

  void operator()(const Figure& figure) {
    const bool many = figure.panels.size() > most_on_a_sheet;
    add("<figure id=\"{}\"{} style=\"--panel: {}px; --print-columns: {}\">\n", figure.name,
        many ? " class=\"many\"" : "", figure.width, columns_on_paper(figure));
    add("<div class=\"intro\"><div class=\"head\"><h3>{}</h3><span class=\"tools\"><button type=\"button\" "
        "class=\"show\">Table</button>"
        "<button type=\"button\" class=\"save\">Data (CSV)</button></span></div>\n",
        html_escaped(figure.title));
    if (!figure.caption.empty()) add("<figcaption>{}</figcaption>\n", html_escaped(figure.caption));
    if (!figure.keys.empty()) text_ += "<div class=\"keys\">\n";
    for (const Key& key : figure.keys)
      add("<button type=\"button\" aria-pressed=\"true\" data-group=\"{}\"><i class=\"{}\" style=\"--key: "
          "var(--{})\"></i>{}</button>\n",
          html_escaped(key.group), key.mark, key.colour, html_escaped(key.words));
    if (!figure.keys.empty()) text_ += "</div>\n";
    text_ += "</div>\n";
    if (figures_can_be_drawn()) {
      add("<div class=\"panels{}\">\n", many ? " many" : "");
      for (std::size_t i = 0; i < figure.panels.size(); ++i)
        add("<div class=\"panel\"><div class=\"plot\" style=\"height: {}px\"></div></div>\n", figure.height);
      text_ += "</div>\n";
    }
    text_ += "<div class=\"values\" hidden></div>\n</figure>\n";
    Json panels = Json::array();
    if (figures_can_be_drawn())
      for (const Panel& panel : figure.panels)
        panels.push_back({{"data", panel.traces}, {"layout", panel.layout}, {"height", figure.height}});
    figures_.push_back({{"name", figure.name},
                        {"panels", std::move(panels)},
                        {"table", {{"heading", figure.table.heading}, {"columns", figure.table.columns}}}});
  }

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

 private:
  std::string text_;
  Json figures_ = Json::array();
};

void write_sections(Writer& writer, const Page& page) {
  if (page.sections.size() > 1) {
    writer.add("<nav aria-label=\"Sections\">\n");
    for (const Section& section : page.sections)
      writer.add("<a href=\"#{}\">{}</a>\n", section.name, html_escaped(section.title));
    writer.add("</nav>\n");
  }
  for (const Section& section : page.sections) {
    writer.add("<section id=\"{}\">\n<h2>{}</h2>\n", section.name, html_escaped(section.title));
    for (const Block& block : section.blocks) std::visit(writer, block);
    writer.add("</section>\n");
  }
}

bool has_figures(const Page& page) {
  for (const Section& section : page.sections)
    for (const Block& block : section.blocks)
      if (std::holds_alternative<Figure>(block)) return true;
  return false;
}

}  // namespace

bool figures_can_be_drawn() { return !plotting_library().empty(); }

std::string html(const Page& page) {
  Writer writer;
  // Nothing is fetched from anywhere, whatever is in the texts.
  writer.add(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src "
      "'unsafe-inline'; img-src data: blob:\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n",
      html_escaped(page.made_by), html_escaped(page.title), style_sheet());
  writer.add("<header>\n<h1>{}</h1>\n", html_escaped(page.title));
  if (!page.subtitle.empty()) writer.add("<p class=\"subtitle\">{}</p>\n", html_escaped(page.subtitle));
  for (const std::string& sentence : page.lead) writer.add("<p class=\"lead\">{}</p>\n", html_escaped(sentence));
  writer.add("</header>\n");
  if (has_figures(page) && !figures_can_be_drawn())
    writer.add(
        "<p class=\"note\">Figures are missing: this gfdt was built without the plotting library. Their numbers are "
        "in the tables.</p>\n");
  write_sections(writer, page);
  writer.add("<footer>{}</footer>\n", html_escaped(page.made_by));
  writer.add("<script type=\"application/json\" id=\"figures\">{}</script>\n", json_in_html(writer.figures()));
  if (figures_can_be_drawn()) writer.add("<script>{}</script>\n", plotting_library());
  writer.add("<script>{}</script>\n</body>\n</html>\n", script());
  return std::move(writer.text());
}

}  // namespace gfdt::report

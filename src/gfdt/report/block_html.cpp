#include "gfdt/report/block_html.hpp"

#include <algorithm>

#include "gfdt/report/html_text.hpp"
#include "gfdt/report/prose.hpp"

namespace gfdt::report {
namespace {

const char* mark_of(const std::string& verdict) {
  if (verdict == "passed") return "✓";
  if (verdict == "failed") return "✗";
  return verdict == "unresolved" ? "?" : "–";
}

/// What a screen reader says for the mark.
std::string spoken(const std::string& verdict) {
  if (verdict == "passed" || verdict == "failed") return verdict;
  return verdict == "unresolved" ? "not resolved" : "not applicable";
}

struct Badge {
  const char *style, *icon, *word;
};

Badge badge_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return {"passed", "✓", "Passed"};
    case Outcome::warning:
      return {"warning", "!", "Warning"};
    case Outcome::failed:
      return {"failed", "✗", "Failed"};
  }
  return {};
}

/// A number stays on one line with its error, its unit and its name.
std::string unbroken(const std::string& text) {
  std::string result = html_escaped(text);
  for (const auto& [parted, joined] : {std::pair{" ± ", "&nbsp;±&nbsp;"}, {" %", "&nbsp;%"}, {" = ", "&nbsp;=&nbsp;"}})
    for (std::size_t found = result.find(parted); found != std::string::npos; found = result.find(parted, found + 1))
      result.replace(found, std::string_view(parted).size(), joined);
  return result;
}

std::string class_of(const std::string& kind) {
  return kind.empty() ? "" : fmt::format(" class=\"{}\"", html_escaped(kind));
}

std::size_t columns_on_paper(const Figure& figure) {
  return std::clamp<std::size_t>(figure.panels.size(), 1, figure.width > 330 ? 2 : 3);
}

/// Panels that fit on one sheet of paper.
constexpr std::size_t most_on_a_sheet = 6;
/// Rows of a table that are read without a filter.
constexpr std::size_t most_unfiltered = 20;

}  // namespace

void BlockWriter::add_prose(const std::string& text) {
  const std::string brief = with_short_lists(text);
  text_ += unbroken(brief);
  if (brief != text) add(" <details class=\"inline\"><summary>Full list</summary>{}</details>", html_escaped(text));
}

void BlockWriter::operator()(const Verdict& verdict) {
  const Badge badge = badge_of(verdict.outcome);
  add("<div class=\"verdict {}\">\n<p class=\"sentence\"><strong class=\"badge\"><span aria-hidden=\"true\">{}</span> "
      "{}</strong> {}</p>\n",
      badge.style, badge.icon, badge.word, unbroken(with_short_lists(verdict.sentence)));
  if (!verdict.explanation.empty()) {
    text_ += "<div class=\"explanation\">";
    add_prose(verdict.explanation);
    text_ += "</div>\n";
  }
  text_ += "</div>\n";
}

void BlockWriter::operator()(const Paragraph& paragraph) {
  add("<div class=\"{}\">", paragraph.note ? "prose note" : "prose");
  add_prose(paragraph.text);
  text_ += "</div>\n";
}

void BlockWriter::operator()(const Table& table) {
  const bool filtered = table.rows.size() > most_unfiltered;
  add("<div class=\"wide{}\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table>\n", filtered ? " long" : "",
      html_escaped(table.caption.empty() ? "Table" : table.caption));
  if (!table.caption.empty()) add("<caption>{}</caption>\n", html_escaped(table.caption));
  text_ += "<thead><tr>";
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    const bool text = !table.rows.empty() && i < table.rows[0].size() && table.rows[0][i].kind == "text";
    add("<th scope=\"col\"{}>{}</th>", text ? " class=\"text\"" : "", html_escaped(table.heading[i]));
  }
  text_ += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    text_ += table.sum && i + 1 == table.rows.size() ? "<tr class=\"sum\">" : "<tr>";
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      const Cell& cell = table.rows[i][j];
      if (j == 0)
        add("<th scope=\"row\"{}>{}</th>", class_of(cell.kind), unbroken(cell.text));
      else
        add("<td{}>{}</td>", class_of(cell.kind), unbroken(cell.text));
    }
    text_ += "</tr>\n";
  }
  text_ += "</tbody></table></div>\n";
}

void BlockWriter::operator()(const Checks& checks) {
  if (checks.checks.empty()) return;
  text_ += "<ul class=\"checks\">\n";
  for (const Check& check : checks.checks) {
    add("<li><span class=\"mark {}\" role=\"img\" aria-label=\"{}\">{}</span><b>{}</b>: ", html_escaped(check.verdict),
        spoken(check.verdict), mark_of(check.verdict), html_escaped(check.name));
    add_prose(check.text);
    if (!check.advice.empty()) add("<span class=\"advice\">{}</span>", html_escaped(with_short_lists(check.advice)));
    text_ += "</li>\n";
  }
  text_ += "</ul>\n";
}

void BlockWriter::operator()(const Quotation& quotation) {
  add("<details><summary>{}</summary><pre tabindex=\"0\">{}</pre></details>\n", html_escaped(quotation.summary),
      html_escaped(quotation.text));
}

void BlockWriter::operator()(const Folded& folded) {
  add("<details><summary>{}</summary>\n", html_escaped(folded.summary));
  for (const Block& block : folded.blocks) std::visit(*this, block);
  text_ += "</details>\n";
}

void BlockWriter::operator()(const SideBySide& columns) {
  text_ += "<div class=\"beside\">\n";
  for (const std::vector<Block>* column : {&columns.left, &columns.right}) {
    text_ += "<div>\n";
    for (const Block& block : *column) std::visit(*this, block);
    text_ += "</div>\n";
  }
  text_ += "</div>\n";
}

void BlockWriter::add_legend(const Figure& figure) {
  if (figure.keys.empty()) return;
  text_ += "<div class=\"keys\" role=\"group\" aria-label=\"Legend\">\n";
  for (const Key& key : figure.keys)
    add("<button type=\"button\" aria-pressed=\"true\" data-group=\"{}\"><i class=\"{}\" style=\"--key: "
        "var(--{})\"></i>{}</button>\n",
        html_escaped(key.group), key.mark, key.colour, html_escaped(key.words));
  text_ += "</div>\n";
}

void BlockWriter::operator()(const Figure& figure) {
  const bool many = figure.panels.size() > most_on_a_sheet;
  add("<figure id=\"{}\"{} style=\"--panel: {}px; --print-columns: {}\">\n", figure.name, many ? " class=\"many\"" : "",
      figure.width, columns_on_paper(figure));
  add("<div class=\"intro\"><div class=\"head\"><h3>{}</h3><span class=\"tools\"><button type=\"button\" "
      "class=\"show\" aria-expanded=\"false\">Table</button><button type=\"button\" class=\"save\">Data "
      "(CSV)</button></span></div>\n",
      html_escaped(figure.title));
  if (!figure.caption.empty()) add("<figcaption>{}</figcaption>\n", html_escaped(figure.caption));
  add_legend(figure);
  text_ += "</div>\n";
  Json panels = Json::array();
  if (figures_can_be_drawn()) {
    add("<div class=\"panels{}\">\n", figure.cells > 0 ? " matrix" : "");
    for (const Panel& panel : figure.panels) {
      add("<div class=\"panel\"><div class=\"plot\" role=\"img\" style=\"height: {}px\"></div></div>\n", figure.height);
      panels.push_back({{"data", panel.traces}, {"layout", panel.layout}, {"height", figure.height}});
    }
    text_ += "</div>\n";
  }
  text_ += "<div class=\"values\" hidden></div>\n</figure>\n";
  figures_.push_back({{"name", figure.name},
                      {"panels", std::move(panels)},
                      {"cells", figure.cells},
                      {"table", {{"heading", figure.table.heading}, {"columns", figure.table.columns}}}});
}

}  // namespace gfdt::report

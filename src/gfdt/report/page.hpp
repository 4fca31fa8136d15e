#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace gfdt::report {

using Json = nlohmann::ordered_json;

struct Paragraph {
  std::string text;
  bool note = false;  ///< something that the reader should not overlook
};

/// A cell; `kind` is a class of the style sheet: passed, failed, unresolved, muted, text.
struct Cell {
  std::string text;
  std::string kind;
  Cell(std::string content, std::string style = {}) : text(std::move(content)), kind(std::move(style)) {}
  Cell(const char* content) : text(content) {}
};

struct Table {
  std::string caption;
  std::vector<std::string> heading;
  std::vector<std::vector<Cell>> rows;
  bool sum = false;  ///< whether the last row is that of sums
};

/// What was looked into; the verdict is `passed`, `failed`, `unresolved` or anything else for what was not.
struct Check {
  std::string name, verdict, text, advice;
};

struct Checks {
  std::vector<Check> checks;
};

/// A text of the user, kept behind a line that opens it.
struct Quotation {
  std::string summary, text;
};

/// The numbers of a figure, for the eye and for a file: columns of the same length.
struct DataTable {
  std::vector<std::string> heading;
  std::vector<Json> columns = {};

  explicit DataTable(std::vector<std::string> names = {}) : heading(std::move(names)), columns(heading.size()) {
    for (Json& column : columns) column = Json::array();
  }
  /// As many values as there are names.
  void add(std::vector<Json> row) {
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(std::move(row[i]));
  }
};

/// What a colour or a kind of line stands for; traces of that `legendgroup` are shown and hidden by it.
struct Key {
  std::string group, words;
  std::string colour;         ///< a variable of the style sheet, such as c0
  std::string mark = "line";  ///< line, dash, dot, band or point
};

/// One set of axes, as the plotting library takes it. Colours are written @name or @name/opacity, after the variables
/// of the style sheet.
struct Panel {
  Json traces = Json::array();
  Json layout = Json::object();
};

struct Figure {
  std::string name;  ///< of its place on the page and of its file: letters, digits and hyphens
  std::string title, caption;
  std::vector<Key> keys = {};
  std::vector<Panel> panels = {};
  DataTable table = DataTable{};
  int width = 320;   ///< least of a panel, pixels
  int height = 300;  ///< of a panel
};

using Block = std::variant<Paragraph, Table, Checks, Quotation, Figure>;

struct Section {
  std::string name;  ///< of its place on the page
  std::string title;
  std::vector<Block> blocks;
};

struct Page {
  std::string title, subtitle;
  std::vector<std::string> lead;  ///< what came out, in sentences
  std::vector<Section> sections;
  std::string made_by;
};

/// One file that needs no other.
std::string html(const Page& page);

/// Whether this program holds the library that draws; pages without it have tables only.
bool figures_can_be_drawn();

}  // namespace gfdt::report

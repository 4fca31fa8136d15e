#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace gfdt::report {

using Json = nlohmann::ordered_json;

enum class Outcome { passed, warning, failed };

/// The result of a run in one sentence, shown above everything else.
struct Verdict {
  Outcome outcome = Outcome::passed;
  std::string sentence;
  std::string explanation = {};  ///< what the sentence leaves out
};

struct Paragraph {
  std::string text;
  bool note = false;  ///< highlighted
};

/// `kind` is a class of the style sheet: passed, failed, unresolved, muted, text.
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
  bool sum = false;  ///< whether the last row contains sums
};

/// The verdict is `passed`, `failed`, `unresolved`, or anything else if the check was not made.
struct Check {
  std::string name, verdict, text, advice;
};

struct Checks {
  std::vector<Check> checks;
};

/// A file of the user, in a section that opens on a click.
struct Quotation {
  std::string summary, text;
};

/// The numbers of a figure, shown as a table and saved as CSV: columns of the same length.
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

/// An entry of the legend, which shows and hides the traces of this `legendgroup`.
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
  std::string name;  ///< of its anchor and of the files saved from it: letters, digits and hyphens
  std::string title, caption;
  std::vector<Key> keys = {};
  std::vector<Panel> panels = {};
  DataTable table = DataTable{};
  int width = 320;   ///< least width of a panel, pixels
  int height = 300;  ///< of a panel
  int cells = 0;     ///< rows and columns of a matrix of plots, which is as high as it is wide; 0 otherwise
};

struct Folded;
struct SideBySide;
using Block = std::variant<Paragraph, Table, Checks, Quotation, Figure, Folded, SideBySide>;

/// Details, in a section that opens on a click.
struct Folded {
  std::string summary;
  std::vector<Block> blocks;
};

/// Two columns where the screen is wide enough.
struct SideBySide {
  std::vector<Block> left, right;
};

struct Section {
  std::string name;  ///< of its anchor
  std::string title;
  std::vector<Block> blocks;
};

struct Page {
  std::string title, subtitle;
  std::vector<Verdict> verdicts;
  std::vector<Section> sections;
  std::string made_by;
};

/// A single file that needs no network connection.
std::string html(const Page& page);

/// Whether the plotting library is part of this program; pages without it have tables only.
bool figures_can_be_drawn();

}  // namespace gfdt::report

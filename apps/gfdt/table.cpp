#include "table.hpp"
#include "styled_text.hpp"

#include <algorithm>

namespace gfdt::app {
namespace {

constexpr std::size_t margin = 2, gap = 3;

/// Columns of a table that stand in one block: the keys, and those from `first` to before `last`.
struct Block {
  std::size_t keys, first, last;
  bool holds(std::size_t column) const { return column < keys || (column >= first && column < last); }
};

std::vector<Block> blocks(const std::vector<std::size_t>& width, std::size_t keys, std::size_t limit) {
  std::size_t of_keys = margin, total = margin;
  for (std::size_t i = 0; i < width.size(); ++i) {
    total += width[i] + (i > 0 ? gap : 0);
    if (i < keys) of_keys = total;
  }
  if (limit == 0 || total <= limit || width.size() <= keys) return {{keys, keys, width.size()}};
  std::vector<Block> result;
  for (std::size_t first = keys; first < width.size();) {
    std::size_t last = first + 1, taken = of_keys + gap + width[first];
    while (last < width.size() && taken + gap + width[last] <= limit) taken += gap + width[last++];
    result.push_back({keys, first, last});
    first = last;
  }
  return result;
}

}  // namespace

std::vector<std::string> Table::lines(std::size_t limit) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], display_width(row[i]));
  }
  std::vector<std::string> lines;
  for (const Block& block : blocks(width, keys_, limit)) {
    if (!lines.empty()) lines.emplace_back();
    for (const auto& row : rows_) {
      std::string line(margin, ' ');
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!block.holds(i)) continue;
        const std::string padding(width[i] - display_width(row[i]), ' ');
        line += i == 0 ? row[i] + padding : std::string(gap, ' ') + padding + row[i];
      }
      while (line.ends_with(' ')) line.pop_back();
      lines.push_back(&row == &rows_[0] ? styled(Style::strong, line) : line);
    }
  }
  return lines;
}

void Table::print(std::FILE* file) const {
  for (const std::string& line : lines(columns_of(file))) put(file, line + "\n");
}

std::vector<std::string> parameter_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> observable_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

std::string plain_text(const statistics::Average& average) {
  return average.plain ? with_error(average.plain->mean, average.plain->standard_error) : std::string();
}

std::string tick(bool passed) { return passed ? styled(Style::good, "✓") : styled(Style::bad, "✗"); }

void print_remarks(std::FILE* file, const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) put_paragraph(file, "  " + styled(Style::warning, "!") + " ", remark);
}

void put_secondary(std::FILE* file, std::string_view text) { put_paragraph(file, "  ", styled(Style::dim, text)); }

void print_diagnostics(std::FILE* file, const std::vector<Diagnostic>& diagnostics, bool close) {
  bool problems = false, judged = true;
  for (const Diagnostic& diagnostic : diagnostics) {
    put_paragraph(file, fmt::format("  {} ", diagnostic.unresolved() ? "?" : tick(diagnostic.passed())),
                  fmt::format("{}: {}", name(diagnostic.check), diagnostic.text));
    if (!diagnostic.passed() && !diagnostic.remedy.empty()) put_paragraph(file, "      ", diagnostic.remedy);
    problems |= !diagnostic.passed();
    judged &= !diagnostic.unresolved();
  }
  if (close && !problems) say(file, "  No problems detected.\n");
  if (close && !judged) say(file, "  A question mark means that the check was inconclusive.\n");
}

void print_failures(std::FILE* file, const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.verdict == Verdict::failed)
      say(file, "{}: {} {}\n", name(diagnostic.check), diagnostic.text, diagnostic.remedy);
}

}  // namespace gfdt::app

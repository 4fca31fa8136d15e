#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>

#include "gfdt/core/error.hpp"
#include "gfdt/core/nearest.hpp"
#include "gfdt/io/csv.hpp"

namespace gfdt::io {
namespace {

struct Cell {
  std::string_view text;
  std::size_t offset = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& file) : file_(file.string()) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) throw Error(fmt::format("'{}' is a folder, not a file.", file_));
    stream_.open(file, std::ios::binary);
    if (!stream_) throw Error(fmt::format("The file '{}' cannot be opened: {}.", file_, std::strerror(errno)));
  }

  Trajectory read() {
    if (!next_line())
      throw InputError("The file is empty: a header line with the names of the columns is expected.",
                       {file_, 1, 1, ""});
    read_header();
    while (next_line()) read_row();
    if (stream_.bad()) throw Error(fmt::format("The file '{}' cannot be read to its end.", file_));
    if (times_.empty()) fail("There are no rows below the header.", 0);
    end_member();
    trajectory_.members = seen_.size();
    trajectory_.times = times_.size();
    trajectory_.start = times_.front();
    return std::move(trajectory_);
  }

  Series read_series() {
    even_ = false;
    Trajectory found = read();
    if (member_column_ || found.variables != std::vector<std::string>{"value"})
      throw InputError(
          fmt::format("The columns 'time' and 'value' are expected, not '{}'{}.",
                      member_column_ ? "member" : found.variables[0], found.variables.size() > 1 ? " and others" : ""),
          {file_, 1, 1, ""});
    if (times_.size() < 2) throw InputError("There is one row; two or more are expected.", {file_, lines_[0], 1, ""});
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (!std::isfinite(found.values[i]))
        throw InputError(fmt::format("The value at time {} is not a number.", times_[i]), {file_, lines_[i], 1, ""});
    return {std::move(times_), std::move(found.values)};
  }

 private:
  /// Steps to the next line that is not empty or a comment.
  bool next_line() {
    for (std::string text; std::getline(stream_, text);) {
      ++number_;
      if (number_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
      if (text.ends_with('\r')) text.pop_back();
      if (trimmed(text).empty() || text.starts_with('#')) continue;
      line_ = std::move(text);
      line_number_ = number_;
      return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& message, std::size_t offset) const {
    Origin start{file_, line_number_, 1, line_};
    throw InputError(message, place_within(start, line_, offset));
  }

  std::vector<Cell>& cells() {
    cells_.clear();
    const std::string_view line = line_;
    for (std::size_t at = 0; at <= line.size();) {
      std::size_t begin = at;
      while (begin < line.size() && line[begin] == ' ') ++begin;
      if (begin < line.size() && line[begin] == '"') {
        const std::size_t close = line.find('"', begin + 1);
        if (close == std::string_view::npos) fail("This quote is never closed.", begin);
        cells_.push_back({line.substr(begin + 1, close - begin - 1), begin + 1});
        at = std::min(line.find(',', close), line.size()) + 1;
        if (!trimmed(line.substr(close + 1, at - close - 2)).empty())
          fail("A comma is expected after the quote.", close + 1);
      } else {
        const std::size_t comma = std::min(line.find(',', at), line.size());
        const std::string_view text = trimmed(line.substr(at, comma - at));
        cells_.push_back({text, text.empty() ? at : static_cast<std::size_t>(text.data() - line.data())});
        at = comma + 1;
      }
    }
    return cells_;
  }

  void read_header() {
    std::set<std::string> names;
    for (const Cell& cell : cells()) {
      const std::string name(cell.text);
      if (name.empty()) fail("This column has no name.", cell.offset);
      if (!names.insert(name).second) fail(fmt::format("Two columns are named '{}'.", name), cell.offset);
      const std::size_t column = columns_++;
      if (name == "time")
        time_column_ = column;
      else if (name == "member")
        member_column_ = column;
      else
        trajectory_.variables.push_back(name);
    }
    if (!time_column_)
      fail(fmt::format("The header has no column 'time', which says how far apart the rows are.{}",
                       suggestion("time", trajectory_.variables)),
           0);
    if (trajectory_.variables.empty()) fail("There is no column besides the time.", 0);
  }

  double number(const Cell& cell, bool finite) const {
    std::string_view text = cell.text;
    if (text.empty()) fail("This cell is empty; write nan for a value that is missing.", cell.offset);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc::result_out_of_range)
      fail(fmt::format("The number {} does not fit into double precision.", cell.text.substr(0, 40)), cell.offset);
    if (problem != std::errc() || stop != text.data() + text.size())
      fail(fmt::format("'{}' is not a number.", cell.text.substr(0, 40)), cell.offset);
    if (std::isinf(value) || (finite && !std::isfinite(value)))
      fail(fmt::format("A finite number is expected, not '{}'.", cell.text.substr(0, 40)), cell.offset);
    return value;
  }

  void read_row() {
    const std::vector<Cell>& row = cells();
    if (row.size() != columns_) {
      const bool cut_off = row.size() < columns_ && stream_.eof();
      fail(fmt::format("This line has {} cells, the header {}.{}", row.size(), columns_,
                       cut_off ? " It is the last line and has no line end: the file was cut off." : ""),
           row.size() > columns_ ? row[columns_].offset : line_.size());
    }
    if (const double member = member_column_ ? number(row[*member_column_], true) : 0;
        seen_.empty() || member != member_)
      start_member(member, row);
    const double time = number(row[*time_column_], true);
    add_time(time, row[*time_column_].offset);
    for (std::size_t i = 0; i < columns_; ++i)
      if (i != time_column_ && i != member_column_) trajectory_.values.push_back(number(row[i], false));
  }

  void start_member(double member, const std::vector<Cell>& row) {
    if (!seen_.empty()) end_member();
    if (!seen_.insert(member).second)
      fail(fmt::format("The rows of member {} do not stand together.", member), row[*member_column_].offset);
    member_ = member;
    rows_ = 0;
  }

  /// The first member's times are checked when it ends, the others' against them.
  void add_time(double time, std::size_t offset) {
    if (seen_.size() == 1) {
      times_.push_back(time);
      lines_.push_back(line_number_);
      if (times_.size() > 1 && !(time > times_[times_.size() - 2]))
        fail(fmt::format("The time {} does not come after {}.", time, times_[times_.size() - 2]), offset);
    } else if (rows_ >= times_.size()) {
      fail(fmt::format("Member {} has more rows than the first member's {}.", member_, times_.size()), offset);
    } else if (!(std::abs(time - times_[rows_]) <= 1e-6 * trajectory_.interval + 1e-12 * std::abs(time))) {
      fail(fmt::format("The time {} of member {} is not the first member's, {}.", time, member_, times_[rows_]),
           offset);
    }
    ++rows_;
  }

  void end_member() {
    if (seen_.size() == 1 && even_) {
      const Spacing spacing = spacing_of(times_);
      if (spacing.uneven)
        throw InputError(fmt::format("The times are not evenly spaced: {} follows {}.", times_[*spacing.uneven],
                                     times_[*spacing.uneven - 1]),
                         {file_, lines_[*spacing.uneven], 1, ""});
      trajectory_.interval = spacing.interval;
      lines_ = {};
    } else if (seen_.size() > 1 && rows_ != times_.size()) {
      fail(fmt::format("Member {} has {} rows, the first member {}.", member_, rows_, times_.size()), 0);
    }
  }

  std::string file_;
  std::ifstream stream_;
  std::string line_;
  int number_ = 0, line_number_ = 1;
  std::vector<Cell> cells_;
  std::size_t columns_ = 0;
  std::optional<std::size_t> time_column_, member_column_;
  std::set<double> seen_;
  double member_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> times_;
  std::vector<int> lines_;
  bool even_ = true;
  Trajectory trajectory_;
};

}  // namespace

Trajectory read_csv(const std::filesystem::path& file) { return CsvReader(file).read(); }

Series read_series(const std::filesystem::path& file) { return CsvReader(file).read_series(); }

}  // namespace gfdt::io

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/csv/csv_lines.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::data {
namespace {

class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& file) : lines_(file) {}

  Trajectory read() {
    lines_.expect_header();
    read_header();
    while (lines_.next()) read_row();
    if (times_.empty()) lines_.fail("There are no rows below the header.", 0);
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
          {lines_.file(), 1, 1, ""});
    if (times_.size() < 2)
      throw InputError("There is one row; two or more are expected.", {lines_.file(), times_at_[0], 1, ""});
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (!std::isfinite(found.values[i]))
        throw InputError(fmt::format("The value at time {} is not a number.", times_[i]),
                         {lines_.file(), times_at_[i], 1, ""});
    return {std::move(times_), std::move(found.values)};
  }

 private:
  void read_header() {
    std::set<std::string> names;
    for (const CsvCell& cell : lines_.cells()) {
      const std::string name(cell.text);
      if (name.empty()) lines_.fail("This column has no name.", cell.offset);
      if (!names.insert(name).second) lines_.fail(fmt::format("Two columns are named '{}'.", name), cell.offset);
      const std::size_t column = columns_++;
      if (name == "time")
        time_column_ = column;
      else if (name == "member")
        member_column_ = column;
      else
        trajectory_.variables.push_back(name);
    }
    if (!time_column_)
      lines_.fail(fmt::format("The header has no column 'time', which says how far apart the rows are.{}",
                              suggestion("time", trajectory_.variables)),
                  0);
    if (trajectory_.variables.empty()) lines_.fail("There is no column besides the time.", 0);
  }

  double number(const CsvCell& cell, bool finite) const {
    if (cell.text.empty()) lines_.fail("This cell is empty; write nan for a value that is missing.", cell.offset);
    const CsvNumber number = lines_.number(cell.text);
    if (number.too_large)
      lines_.fail(fmt::format("The number {} does not fit into double precision.", cell.text.substr(0, 40)),
                  cell.offset);
    if (!number.readable) lines_.fail(fmt::format("'{}' is not a number.", cell.text.substr(0, 40)), cell.offset);
    if (std::isinf(number.value) || (finite && !std::isfinite(number.value)))
      lines_.fail(fmt::format("A finite number is expected, not '{}'.", cell.text.substr(0, 40)), cell.offset);
    return number.value;
  }

  void read_row() {
    const std::vector<CsvCell>& row = lines_.cells(columns_);
    if (const double member = member_column_ ? number(row[*member_column_], true) : 0;
        seen_.empty() || member != member_)
      start_member(member, row);
    const double time = number(row[*time_column_], true);
    add_time(time, row[*time_column_].offset);
    for (std::size_t i = 0; i < columns_; ++i)
      if (i != time_column_ && i != member_column_) trajectory_.values.push_back(number(row[i], false));
  }

  void start_member(double member, const std::vector<CsvCell>& row) {
    if (!seen_.empty()) end_member();
    if (!seen_.insert(member).second)
      lines_.fail(fmt::format("The rows of member {} do not stand together.", member), row[*member_column_].offset);
    member_ = member;
    rows_ = 0;
  }

  /// The times of the first member are checked when it ends; those of other members are compared with them.
  void add_time(double time, std::size_t offset) {
    if (seen_.size() == 1) {
      times_.push_back(time);
      times_at_.push_back(lines_.line_number());
      if (times_.size() > 1 && !(time > times_[times_.size() - 2]))
        lines_.fail(fmt::format("The time {} does not come after {}.", time, times_[times_.size() - 2]), offset);
    } else if (rows_ >= times_.size()) {
      lines_.fail(fmt::format("Member {} has more rows than the first member's {}.", member_, times_.size()), offset);
    } else if (!(std::abs(time - times_[rows_]) <= 1e-6 * trajectory_.interval + 1e-12 * std::abs(time))) {
      lines_.fail(fmt::format("The time {} of member {} is not the first member's, {}.", time, member_, times_[rows_]),
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
                         {lines_.file(), times_at_[*spacing.uneven], 1, ""});
      trajectory_.interval = spacing.interval;
      times_at_ = {};
    } else if (seen_.size() > 1 && rows_ != times_.size()) {
      lines_.fail(fmt::format("Member {} has {} rows, the first member {}.", member_, rows_, times_.size()), 0);
    }
  }

  CsvLines lines_;
  std::size_t columns_ = 0;
  std::optional<std::size_t> time_column_, member_column_;
  std::set<double> seen_;
  double member_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> times_;
  std::vector<int> times_at_;  ///< line numbers
  bool even_ = true;
  Trajectory trajectory_;
};

}  // namespace

Trajectory read_csv(const std::filesystem::path& file) { return CsvReader(file).read(); }

Series read_series(const std::filesystem::path& file) {
  Series series = CsvReader(file).read_series();
  ranks::require_same("series of a forcing", series.value);
  return series;
}

}  // namespace gfdt::data

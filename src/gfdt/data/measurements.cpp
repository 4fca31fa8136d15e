#include "gfdt/data/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include "gfdt/data/csv/csv_lines.hpp"
#include "gfdt/data/netcdf/netcdf_call.hpp"
#include "gfdt/data/netcdf/netcdf_file.hpp"
#include "gfdt/data/time_grid.hpp"
#include "gfdt/data/trajectory.hpp"

namespace gfdt::data {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Whether a number represents a missing value, also after rounding to single precision.
bool stands_for(std::optional<double> missing, double value) {
  return missing && (value == *missing || value == static_cast<double>(static_cast<float>(*missing)));
}

/// Whether a column has this name, ignoring case.
bool is_called(const std::string& name, std::string_view word) {
  return std::ranges::equal(name, word, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
}

/// Moves the values to the rows of their times in the grid.
void spread(const TimeGrid& grid, Measurements& table) {
  const std::size_t present = table.rows;
  table.rows = grid.rows();
  table.absent_rows = table.rows - present;
  if (table.absent_rows == 0) return;
  affordable_size(table.file, 1, table.rows, table.columns.size());
  for (Measurements::Column& column : table.columns) {
    std::vector<double> values(table.rows, none);
    for (std::size_t i = 0; i < present; ++i) values[grid.row[i]] = column.values[i];
    column.values = std::move(values);
  }
}

class CsvTable {
 public:
  CsvTable(const std::filesystem::path& file, std::optional<double> missing) : lines_(file), missing_(missing) {}

  Measurements read() {
    table_.file = lines_.file();
    lines_.expect_header();
    read_header();
    while (lines_.next()) read_row();
    table_.cut_short = lines_.cut_short();
    if (table_.rows == 0) lines_.fail("There are no rows below the header.", 0);
    if (time_column_) place_rows();
    return std::move(table_);
  }

 private:
  void read_header() {
    std::set<std::string> names;
    for (const CsvCell& cell : lines_.cells()) {
      const std::string name(cell.text);
      if (!name.empty() && !names.insert(name).second)
        lines_.fail(fmt::format("Two columns are named '{}'.", name), cell.offset);
      if (is_called(name, "time") || (is_called(name, "date") && !time_column_)) time_column_ = header_.size();
      header_.push_back(name);
    }
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (i != time_column_) table_.columns.push_back({header_[i], {}, {}, {}});
    if (table_.columns.empty()) lines_.fail("There is no column besides the time.", 0);
  }

  void read_row() {
    const std::vector<CsvCell>& row = lines_.cells(header_.size());
    auto column = table_.columns.begin();
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i == time_column_)
        read_time(row[i]);
      else
        read_value(row[i], *column++);
    ++table_.rows;
  }

  void read_value(const CsvCell& cell, Measurements::Column& column) const {
    CsvNumber number = lines_.number(cell.text);
    const bool blank = cell.text.empty() || cell.text == "NA";
    if (blank || (number.readable && stands_for(missing_, number.value))) number = {none, true};
    if (!number.readable || std::isinf(number.value)) {
      if (!column.unreadable)
        column.unreadable.emplace(
            fmt::format("'{}' in the column '{}' is not a finite number.{} Where a value is missing, leave the cell "
                        "empty or write nan.",
                        cell.text.substr(0, 40), column.name, lines_.advice(cell.text)),
            lines_.place(cell.offset));
      number = {none, true};
    }
    column.values.push_back(number.value);
  }

  void read_time(const CsvCell& cell) {
    const CsvNumber number = lines_.number(cell.text);
    const std::optional<double> date = days_of_date(cell.text);
    if (!date && !(number.readable && std::isfinite(number.value)))
      lines_.fail(fmt::format("'{}' is neither a number nor a date such as 1950-01 or 1950-01-31.{}",
                              cell.text.substr(0, 40), lines_.advice(cell.text)),
                  cell.offset);
    if (times_.empty()) dates_ = date.has_value();
    if (dates_ != date.has_value())
      lines_.fail(fmt::format("The times before this one are {}.", dates_ ? "dates" : "numbers"), cell.offset);
    const double time = date ? *date : number.value;
    if (!times_.empty() && time == times_.back())
      lines_.fail(fmt::format("The time {} stands twice: every time must have one row.", cell.text.substr(0, 40)),
                  cell.offset);
    if (!times_.empty() && !(time > times_.back()))
      lines_.fail(fmt::format("The time {} does not come after {}: rows are expected in the order of time.",
                              cell.text.substr(0, 40), texts_.back()),
                  cell.offset);
    times_.push_back(time);
    texts_.emplace_back(cell.text.substr(0, 40));
    times_at_.push_back(lines_.line_number());
  }

  void place_rows() {
    const TimeGrid grid = time_grid(times_);
    if (grid.uneven)
      throw InputError(fmt::format("The times are not evenly spaced: {} follows {}. Rows may be left out, but the "
                                   "others must stand on an even grid of times.",
                                   texts_[*grid.uneven], texts_[*grid.uneven - 1]),
                       {table_.file, times_at_[*grid.uneven], 1, ""});
    spread(grid, table_);
    if (!dates_ && table_.rows > 1)
      table_.interval = (times_.back() - times_.front()) / static_cast<double>(table_.rows - 1);
  }

  CsvLines lines_;
  std::optional<double> missing_;
  std::vector<std::string> header_;
  std::optional<std::size_t> time_column_;
  bool dates_ = false;
  std::vector<double> times_;
  std::vector<std::string> texts_;
  std::vector<int> times_at_;  ///< line numbers
  Measurements table_;
};

Measurements read_netcdf_table(const std::filesystem::path& path, std::optional<double> missing) {
  const std::lock_guard lock(netcdf_mutex());
  const NetcdfFile file(path);
  Measurements table;
  table.file = path.string();
  std::vector<double> times;
  for (const NetcdfFile::Variable& variable : file.variables()) {
    if (!variable.numeric || variable.shape.size() != 1 || variable.shape[0].name != "time") continue;
    table.rows = variable.shape[0].size;
    std::vector<double> values(affordable_size(table.file, 1, table.rows, 1));
    file.read(variable.id, {0}, {table.rows}, values);
    if (variable.name == "time") {
      times = std::move(values);
      continue;
    }
    std::optional<std::size_t> infinite;
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (stands_for(missing, values[row])) values[row] = none;
      if (std::isinf(values[row]) && !infinite) infinite = row + 1;
    }
    table.columns.push_back({variable.name, std::move(values), {}, infinite});
  }
  if (table.columns.empty() || table.rows == 0)
    throw Error(fmt::format("The file '{}' has no values over the dimension 'time' alone.", table.file));
  if (times.empty()) return table;
  if (!std::ranges::all_of(times, [](double time) { return std::isfinite(time); }))
    throw Error(fmt::format("A time of '{}' is missing or not finite.", table.file));
  const TimeGrid grid = time_grid(times);
  if (grid.uneven)
    throw Error(fmt::format("The times of '{}' are not evenly spaced: {} follows {}.", table.file, times[*grid.uneven],
                            times[*grid.uneven - 1]));
  spread(grid, table);
  return table;
}

}  // namespace

std::vector<std::string> Measurements::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns)
    if (!column.name.empty()) names.push_back(column.name);
  return names;
}

const Measurements::Column* Measurements::find(const std::string& name) const {
  const auto column = std::ranges::find(columns, name, &Column::name);
  return column == columns.end() ? nullptr : &*column;
}

Measurements read_measurements(const std::filesystem::path& file, std::optional<double> missing) {
  return looks_like_netcdf(file) ? read_netcdf_table(file, missing) : CsvTable(file, missing).read();
}

}  // namespace gfdt::data

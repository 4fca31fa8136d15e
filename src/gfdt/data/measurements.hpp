#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// A table of measurements at evenly spaced times, one row per time.
struct Measurements {
  struct Column {
    std::string name;
    std::vector<double> values;            ///< NaN for missing values
    std::optional<InputError> unreadable;  ///< the first CSV cell that is neither a number nor missing
    std::optional<std::size_t> infinite;   ///< the first row with an infinite value in netCDF, counted from 1
  };

  std::string file;
  std::size_t rows = 0;            ///< including rows that the file omits
  std::optional<double> interval;  ///< time between rows, if a numeric time column gives it
  std::size_t absent_rows = 0;     ///< number of rows that the file omits
  bool cut_short = false;          ///< the last line has no line end: its last number may be incomplete
  std::vector<Column> columns;     ///< all columns except the time

  std::vector<std::string> names() const;
  const Column* find(const std::string& name) const;  ///< null if there is none
};

/// Reads a CSV file, or the variables over (time) of a netCDF file; the first bytes determine the format. The column
/// `time` or `date`, with numbers or dates, may omit rows. Values are missing if a cell is empty, nan, NA or the number
/// `missing`, or if attributes in netCDF mark them. Throws Error or InputError.
Measurements read_measurements(const std::filesystem::path& file, std::optional<double> missing = {});

}  // namespace gfdt::data

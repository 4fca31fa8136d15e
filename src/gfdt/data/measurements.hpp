#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// A table of measurements at evenly spaced times, a row each.
struct Measurements {
  struct Column {
    std::string name;
    std::vector<double> values;            ///< NaN where a value is missing
    std::optional<InputError> unreadable;  ///< the first cell of CSV that holds neither a number nor nothing
    std::optional<std::size_t> infinite;   ///< the first such row of netCDF, counted from 1
  };

  std::string file;
  std::size_t rows = 0;            ///< those that the file leaves out included
  std::optional<double> interval;  ///< between rows, where a column of numbers tells their times
  std::size_t absent_rows = 0;     ///< those that the file leaves out
  bool cut_short = false;          ///< the last line has no end: its last number may lack digits
  std::vector<Column> columns;     ///< but for the times

  std::vector<std::string> names() const;
  const Column* find(const std::string& name) const;  ///< null where there is none
};

/// Reads CSV, or the variables over (time) of netCDF, told apart by the first bytes of the file. A column `time` or
/// `date`, of numbers or dates, may leave out rows. A value is missing where a cell is empty, nan, NA or the number
/// `missing`, in netCDF where its attributes say so. Throws Error or InputError.
Measurements read_measurements(const std::filesystem::path& file, std::optional<double> missing = {});

}  // namespace gfdt::data

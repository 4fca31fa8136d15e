#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "gfdt/data/trajectory_writer.hpp"

namespace gfdt::data {

/// Reads a table with one header line. The column `time` must be evenly spaced. With a column `member`, the rows of
/// each member must be consecutive and all members must have the same times. `nan`, empty lines and comment lines
/// starting with # are allowed. Throws InputError with the position of the error.
Trajectory read_csv(const std::filesystem::path& file);

/// Values of a quantity at increasing times.
struct Series {
  std::vector<double> time, value;
};

/// Reads the columns `time` and `value` with two or more rows and any spacing. Throws InputError with the position of
/// the error.
Series read_series(const std::filesystem::path& file);

/// Writes the provenance as comment lines, then columns member, time and one per variable. Until completion, values are
/// stored in an anonymous temporary file in the same folder, with eight bytes per value.
std::unique_ptr<TrajectoryWriter> write_csv(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                            const Provenance& provenance);

}  // namespace gfdt::data

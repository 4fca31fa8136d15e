#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "gfdt/data/trajectory_writer.hpp"

namespace gfdt::data {

/// Reads a table with one header line. A column `time` is evenly spaced; with a column `member`, the rows of a member
/// stand together and all members have the same times. `nan` and empty lines, and comment lines starting with #, are
/// allowed. Throws InputError with the place of what is wrong.
Trajectory read_csv(const std::filesystem::path& file);

/// A quantity at increasing times.
struct Series {
  std::vector<double> time, value;
};

/// Reads the columns `time` and `value`, two rows or more, whatever their spacing. Throws InputError with the place of
/// what is wrong.
Series read_series(const std::filesystem::path& file);

/// Columns member, time, then one a variable; provenance in comment lines first. While it is written the values lie in
/// a second, nameless file of the same folder, eight bytes each.
std::unique_ptr<TrajectoryWriter> write_csv(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                            const Provenance& provenance);

}  // namespace gfdt::data

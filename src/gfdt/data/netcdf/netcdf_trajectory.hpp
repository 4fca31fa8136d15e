#pragma once

#include <filesystem>
#include <memory>

#include "gfdt/data/trajectory_writer.hpp"

namespace gfdt::data {

/// Reads every numeric variable over ([member,] time[, sites...]) and ignores all others. Missing values become NaN;
/// packed values are unpacked. Throws Error if the file is damaged, not netCDF, or has no such variable.
Trajectory read_netcdf(const std::filesystem::path& file);

/// Writes netCDF-4: a variable (member, time, sites...) per field, the coordinate `time`, and provenance as global
/// attributes.
std::unique_ptr<TrajectoryWriter> write_netcdf(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                               const Provenance& provenance);

}  // namespace gfdt::data

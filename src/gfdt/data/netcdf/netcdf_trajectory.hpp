#pragma once

#include <filesystem>
#include <memory>

#include "gfdt/data/trajectory_writer.hpp"

namespace gfdt::data {

/// Reads every numeric variable over ([member,] time[, sites...]); others are passed over. Missing values become NaN,
/// packed values are unpacked. Throws Error when the file is damaged, foreign or has no such variable.
Trajectory read_netcdf(const std::filesystem::path& file);

/// netCDF-4: a variable (member, time, sites...) for each field, a coordinate `time`, provenance in global attributes.
std::unique_ptr<TrajectoryWriter> write_netcdf(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                               const Provenance& provenance);

}  // namespace gfdt::data

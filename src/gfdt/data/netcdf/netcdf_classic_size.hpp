#pragma once

#include <cstdint>
#include <filesystem>

namespace gfdt::data {

/// Size in bytes of a file in a classic format (CDF-1, 2 or 5) according to its header; 0 if the header cannot be read
/// or the file has another format. Used to detect truncated files, because netCDF-C reads zeros past the end of a file.
std::uint64_t classic_netcdf_size(const std::filesystem::path& file);

}  // namespace gfdt::data

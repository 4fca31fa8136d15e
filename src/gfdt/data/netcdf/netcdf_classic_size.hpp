#pragma once

#include <cstdint>
#include <filesystem>

namespace gfdt::data {

/// The bytes that a file of one of the classic formats (CDF-1, 2 and 5) must have according to its header; 0 when the
/// header cannot be read or the file is of another kind. netCDF-C reads zeros past the end of a file that was cut off.
std::uint64_t classic_netcdf_size(const std::filesystem::path& file);

}  // namespace gfdt::data

#pragma once

#include <filesystem>
#include <mutex>
#include <string>

namespace gfdt::data {

/// Held while any function of netCDF-C runs: it is not thread-safe, not even on different files.
std::mutex& netcdf_mutex();

/// Throws Error with a sentence when a call of netCDF-C did not succeed. `trouble` goes before the reason: "cannot be
/// read".
void netcdf_call(int status, const std::filesystem::path& file, const char* trouble);

}  // namespace gfdt::data

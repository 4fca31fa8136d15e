#pragma once

#include <filesystem>
#include <mutex>
#include <string>

namespace gfdt::data {

/// Must be held during any call of netCDF-C, which is not thread-safe even for different files.
std::mutex& netcdf_mutex();

/// Throws Error if a call of netCDF-C has failed. `trouble` precedes the reason in the message: "cannot be read".
void netcdf_call(int status, const std::filesystem::path& file, const char* trouble);

}  // namespace gfdt::data

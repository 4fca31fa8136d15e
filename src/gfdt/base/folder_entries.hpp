#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace gfdt {

/// Paths of the entries of a folder. If reading fails, sets `error` and returns the entries read so far.
inline std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder, std::error_code& error) {
  std::vector<std::filesystem::path> entries;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

}  // namespace gfdt

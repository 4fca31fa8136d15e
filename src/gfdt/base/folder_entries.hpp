#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace gfdt {

/// What a folder holds, as far as it can be read; `error` tells why that is not all.
inline std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder, std::error_code& error) {
  std::vector<std::filesystem::path> entries;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

}  // namespace gfdt

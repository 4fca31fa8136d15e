#pragma once

#include <filesystem>
#include <string>

#include "../temporary_folder.hpp"
#include "gfdt/data/write_atomically.hpp"

namespace gfdt::data {

/// Prefix of temporary file names, which identifies the machine.
inline std::string prefix_of_this_machine() {
  const TemporaryFolder folder;
  const PendingFile own(folder / "a.txt");
  const std::string name = std::filesystem::directory_iterator(folder.path())->path().filename().string();
  return name.substr(0, name.find('-', name.find('-') + 1) + 1);
}

/// Name of a temporary file of a process that has ended: no process id is this large.
inline std::string abandoned_name() { return prefix_of_this_machine() + "2000000000-3.part"; }

}  // namespace gfdt::data

#pragma once

#include <filesystem>
#include <string>

#include "../temporary_folder.hpp"
#include "gfdt/data/write_atomically.hpp"

namespace gfdt::data {

/// The beginning of the names of temporary files, which tells the machine.
inline std::string prefix_of_this_machine() {
  const TemporaryFolder folder;
  const PendingFile own(folder / "a.txt");
  const std::string name = std::filesystem::directory_iterator(folder.path())->path().filename().string();
  return name.substr(0, name.find('-', name.find('-') + 1) + 1);
}

/// The name of a temporary file that a process has left: none has a number so high.
inline std::string abandoned_name() { return prefix_of_this_machine() + "2000000000-3.part"; }

}  // namespace gfdt::data

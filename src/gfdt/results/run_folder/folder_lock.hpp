#pragma once

#include <filesystem>

namespace gfdt::results {

/// Locks the file `lock` of a folder, so that no other process can work in that folder. The operating system releases
/// the lock when the process ends, in whatever way. The file contains the process number and the host.
class FolderLock {
 public:
  /// Throws Error with the number of the process that holds the lock, or if the file cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace gfdt::results

#pragma once

#include <filesystem>

namespace gfdt::results {

/// Keeps other processes from working in a folder, by a lock on its file `lock` that ends with the process however
/// that ends. Where that process runs can be read in the file.
class FolderLock {
 public:
  /// Throws Error when another process has it, with its number, or when the file cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace gfdt::results

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gfdt::data {

/// A file that appears under its name only when it is complete: it is written under a temporary name in the same
/// folder, flushed to disk, and renamed. Without `commit` it is removed on destruction. With several ranks, only the
/// root rank writes; on other ranks all functions have no effect.
class PendingFile {
 public:
  /// Throws Error if the folder is missing or not writable, or if the target exists and is not a regular file.
  explicit PendingFile(const std::filesystem::path& target);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }
  int descriptor() const { return descriptor_; }

  /// Allocates disk space for at least this size, so that a full disk is detected at once.
  void reserve(std::size_t bytes);
  /// Both throw Error if the file cannot be written, for example because the disk is full.
  void write(std::string_view text);
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// Throws Error with the system's description of a failed write to a file.
[[noreturn]] void fail_to_write(const std::filesystem::path& file, int system_error);

/// Writes a complete file with PendingFile. Throws Error as PendingFile does.
void write_file_atomically(const std::filesystem::path& target, std::string_view text);

/// Removes temporary files that killed processes of this machine left in a folder.
void remove_abandoned_files(const std::filesystem::path& folder);

}  // namespace gfdt::data

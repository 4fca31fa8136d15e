#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gfdt::data {

/// A file that appears under its name only when it is complete: written under a temporary name in the same folder,
/// flushed to the disk, renamed. Removed when it is destroyed before `commit`. Of several ranks the first one writes,
/// and with the others nothing happens.
class PendingFile {
 public:
  /// Throws Error when the folder is missing or cannot be written, or the name stands for something other than a file.
  explicit PendingFile(const std::filesystem::path& target);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }
  int descriptor() const { return descriptor_; }

  /// Takes the space for a file that will have at least this size, so that a full disk shows at once.
  void reserve(std::size_t bytes);
  /// Throw Error, when the disk is full say.
  void write(std::string_view text);
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// Throws Error with a sentence for what the system says went wrong with a file.
[[noreturn]] void fail_to_write(const std::filesystem::path& file, int system_error);

void write_file_atomically(const std::filesystem::path& target, std::string_view text);

/// Removes what processes of this machine that were killed had begun to write in a folder.
void remove_abandoned_files(const std::filesystem::path& folder);

}  // namespace gfdt::data

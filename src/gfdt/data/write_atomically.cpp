#include "gfdt/data/write_atomically.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <set>

#include "gfdt/base/digest.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/folder_entries.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::data {
namespace {

namespace fs = std::filesystem;

/// Follows a symbolic link, so that its target is replaced and not the link.
fs::path final_target(const fs::path& target) {
  std::error_code error;
  if (!fs::is_symlink(target, error)) return target;
  const fs::path followed = fs::weakly_canonical(target, error);
  return error ? target : followed;
}

/// Makes the renaming durable in case of a power failure. Errors are ignored, because some file systems do not support
/// this.
void flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Prefix of temporary file names, which identifies the machine, because folders may be shared between machines.
const std::string& temporary_prefix() {
  static const std::string prefix = [] {
    char host[256] = {};
    return fmt::format(".gfdt-{:08x}-", ::gethostname(host, sizeof host - 1) == 0 ? digest(host) & 0xffffffffu : 0);
  }();
  return prefix;
}
constexpr std::string_view temporary_suffix = ".part";

/// Whether this is a temporary file of a process on this machine that has ended.
bool is_abandoned(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(temporary_prefix()) || !name.ends_with(temporary_suffix)) return false;
  pid_t process = 0;
  const char* digits = name.data() + temporary_prefix().size();
  const auto [end, problem] = std::from_chars(digits, name.data() + name.size(), process);
  return problem == std::errc() && *end == '-' && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes files left by killed processes, once per folder.
void remove_abandoned_files_once(const fs::path& folder) {
  static std::mutex access;
  static std::set<fs::path> known;
  const std::lock_guard lock(access);
  std::error_code ignored;
  if (known.insert(fs::absolute(folder, ignored)).second) remove_abandoned_files(folder);
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

void fail_to_write(const fs::path& file, int system_error) {
  const char* advice =
      system_error == ENOSPC || system_error == EDQUOT ? " Free some space or write to another folder." : "";
  throw Error(
      fmt::format("The file '{}' cannot be written: {}.{}", file.string(), std::strerror(system_error), advice));
}

PendingFile::PendingFile(const fs::path& target) : target_(final_target(target)) {
  static std::atomic<unsigned> serial{0};
  std::error_code error;
  if (ranks::own() > 0) return;
  if (target_.filename().empty()) throw Error(fmt::format("'{}' is not the name of a file.", target.string()));
  const fs::file_status status = fs::status(target_, error);
  if (fs::is_directory(status))
    throw Error(fmt::format("'{}' is a folder; a file is to be written there.", target.string()));
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(fmt::format("'{}' is not a regular file and will not be replaced.", target.string()));
  refuse_input(target_);
  const fs::path folder = folder_of(target_);
  if (!fs::is_directory(folder, error))
    throw Error(
        fmt::format("The folder '{}' for the file '{}' does not exist.", folder.string(), target_.filename().string()));
  remove_abandoned_files_once(folder);
  do {
    temporary_ = folder / fmt::format("{}{}-{}{}", temporary_prefix(), ::getpid(), serial++, temporary_suffix);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail_to_write(target_, errno);
}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!committed_ && !temporary_.empty()) ::unlink(temporary_.c_str());
}

void PendingFile::reserve(std::size_t bytes) {
  if (temporary_.empty()) return;
#ifdef __linux__
  if (bytes == 0 || ::fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) == 0) return;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) fail_to_write(target_, errno);
#else
  static_cast<void>(bytes);
#endif
}

void PendingFile::write(std::string_view text) {
  if (temporary_.empty()) return;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(target_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PendingFile::commit() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail_to_write(target_, errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail_to_write(target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(target_, errno);
  committed_ = true;
  flush_folder(folder_of(target_));
}

void write_file_atomically(const fs::path& target, std::string_view text) {
  PendingFile file(target);
  file.write(text);
  file.commit();
}

void remove_abandoned_files(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& file : folder_entries(folder, ignored))
    if (is_abandoned(file)) fs::remove(file, ignored);
}

}  // namespace gfdt::data

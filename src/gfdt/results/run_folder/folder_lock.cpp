#include "gfdt/results/run_folder/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/data/write_atomically.hpp"

namespace gfdt::results {
namespace {

/// The name of the holder if the lock file is empty.
constexpr const char* unknown_holder = "another process";

/// "process 123 on host", as written by the holder of the lock.
std::string holder(int descriptor) {
  char text[128] = {};
  const ssize_t size = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string name(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  name = name.substr(0, name.find('\n'));
  return name.empty() ? unknown_holder : name;
}

std::string this_process() {
  char host[64] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {}\n", ::getpid(), host[0] != '\0' ? host : "this machine");
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "lock";
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) data::fail_to_write(file, errno);
  int failure = 0;
  while ((failure = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno) == EINTR) {
  }
  if (failure != 0) {
    const std::string other = holder(descriptor_);
    ::close(descriptor_);
    if (failure == EWOULDBLOCK)
      throw Error(fmt::format("The folder '{}' is in use by {}: wait until it has ended, or take another --out.",
                              folder.string(), other));
    throw Error(fmt::format("The folder '{}' cannot be locked: {}.", folder.string(), std::strerror(failure)));
  }
  if (const std::string before = holder(descriptor_); before != unknown_holder && !before.starts_with("process ")) {
    ::close(descriptor_);
    throw Error(
        fmt::format("'{}' is not a lock file of gfdt and is not replaced: choose another --out.", file.string()));
  }
  const std::string name = this_process();
  const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                       ::pwrite(descriptor_, name.data(), name.size(), 0) == static_cast<ssize_t>(name.size());
  if (!written) {
    const int reason = errno;
    ::close(descriptor_);
    data::fail_to_write(file, reason);
  }
}

FolderLock::~FolderLock() {
  static_cast<void>(::ftruncate(descriptor_, 0) == 0);
  ::close(descriptor_);
}

}  // namespace gfdt::results

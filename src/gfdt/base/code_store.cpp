#include "gfdt/base/code_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "gfdt/base/digest.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/folder_entries.hpp"

namespace gfdt {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};  // reading from a pipe could block forever
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

namespace {

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw Error(
        fmt::format("The file '{}' cannot be written ({}). Set GFDT_CACHE to another folder, or choose "
                    "--backend interpreter.",
                    path.string(), std::strerror(errno)));
}

void rename_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw Error(fmt::format("The file '{}' cannot be put in its place ({}).", to.string(), error.message()));
}

/// Last line of the text file stored beside the compiled code: size and hash of the code file. The dynamic loader may
/// crash on a damaged file, so the hash is checked before loading.
std::string seal(const std::string& code) {
  return fmt::format("\n// code: {} bytes, {:016x}\n", code.size(), digest(code));
}

bool intact(const CompiledText& wanted, const fs::path& stem) {
  const std::string text = bytes_of(fs::path(stem) += wanted.text_ending);
  return text.starts_with(wanted.text) &&
         text.substr(wanted.text.size()) == seal(bytes_of(fs::path(stem) += wanted.code_ending));
}

struct RemovedAtEnd {
  std::vector<fs::path> files;
  ~RemovedAtEnd() {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
  }
};

/// Compiles to temporary file names and then renames, so that no other process sees an incomplete file.
void make(const CompiledText& wanted, const fs::path& stem, const Compilation& compile) {
  static std::atomic<unsigned> serial{0};
  fs::path own = stem;
  own += fmt::format(".{}.{}", getpid(), serial++);
  fs::path text = fs::path(own) += wanted.text_ending, code = fs::path(own) += wanted.code_ending;
  RemovedAtEnd temporary{{text, code}};
  write_file(text, wanted.text);
  compile(text, code);
  write_file(text, wanted.text + seal(bytes_of(code)));
  rename_file(code, fs::path(stem) += wanted.code_ending);
  rename_file(text, fs::path(stem) += wanted.text_ending);
}

/// Removes files that killed processes left in the cache: temporary files and locks that are older than the longest
/// plausible compilation.
void remove_abandoned(const fs::path& cache) {
  constexpr std::chrono::hours longest{1};
  const fs::file_time_type now = fs::file_time_type::clock::now();
  std::error_code ignored;
  for (const fs::path& file : folder_entries(cache, ignored)) {
    const std::string name = file.filename();
    const bool temporary = std::ranges::count(name, '.') >= 3 || name.ends_with(".lock");  // stem.process.serial.ending
    const fs::file_time_type changed = fs::last_write_time(file, ignored);
    if (temporary && changed != fs::file_time_type::min() && now - changed > longest) fs::remove(file, ignored);
  }
}

/// Holds a file lock, so that only one process compiles a given source and the others use its result. Without effect on
/// file systems that do not support locks.
class OneAtATime {
 public:
  explicit OneAtATime(const fs::path& stem)
      : file_(fs::path(stem) += ".lock"),
        descriptor_(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (descriptor_ >= 0)
      while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
      }
  }
  ~OneAtATime() {
    ::unlink(file_.c_str());
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  fs::path file_;
  int descriptor_;
};

fs::path stem_of(const std::string& text) {
  return private_cache_folder() / fmt::format("{:016x}{:016x}", digest(text), digest(text, 0x84222325cbf29ce4u));
}

}  // namespace

fs::path CompiledText::file() const { return stem_of(text) += code_ending; }

fs::path compiled_once(const CompiledText& text, const Compilation& compile) {
  const fs::path stem = stem_of(text.text);
  if (!intact(text, stem)) {
    remove_abandoned(stem.parent_path());
    const OneAtATime turn(stem);
    if (!intact(text, stem)) make(text, stem, compile);
  }
  return fs::path(stem) += text.code_ending;
}

}  // namespace gfdt

#include "gfdt/kernel/code_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "gfdt/core/error.hpp"
#include "gfdt/kernel/compiler.hpp"

namespace gfdt::kernel {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::uint64_t fnv1a(const std::string& text, std::uint64_t hash) {
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ULL;
  return hash;
}

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

/// The last line of the text that is kept beside compiled code: what the file of code must hold. The loader does not
/// survive a damaged file.
std::string seal(const std::string& code) {
  return fmt::format("\n// code: {} bytes, {:016x}\n", code.size(), fnv1a(code, 0xcbf29ce484222325ULL));
}

bool intact(const fs::path& stem, const std::string& source) {
  const std::string text = read_file(fs::path(stem) += ".cpp");
  return text.starts_with(source) && text.substr(source.size()) == seal(read_file(fs::path(stem) += ".so"));
}

struct RemovedAtEnd {
  std::vector<fs::path> files;
  ~RemovedAtEnd() {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
  }
};

/// Compiles under a name of its own and renames, so that no other process ever sees half a file. The compiler reads its
/// standard input, so that the name does not get into the code: processes that compile the same source at the same time
/// make the same file.
void compile(const fs::path& compiler, const std::string& source, const fs::path& stem) {
  static std::atomic<unsigned> serial{0};
  fs::path own = stem;
  own += fmt::format(".{}.{}", getpid(), serial++);
  fs::path text = fs::path(own) += ".cpp", code = fs::path(own) += ".so", words = fs::path(own) += ".log";
  RemovedAtEnd temporary{{text, code, words}};
  write_file(text, source);
  run_compiler(compiler, text, code, words);
  write_file(text, source + seal(read_file(code)));
  rename_file(code, fs::path(stem) += ".so");
  rename_file(text, fs::path(stem) += ".cpp");
}

/// Keeps processes from compiling the same source at the same time, where the file system has locks: one of them does,
/// and the others find what it has made.
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

}  // namespace

LoadedCode::LoadedCode(const fs::path& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) throw Error(fmt::format("Compiled code cannot be loaded: {}", dlerror()));
}

LoadedCode::~LoadedCode() { dlclose(handle_); }

void* LoadedCode::function(const char* name) const {
  void* address = dlsym(handle_, name);
  if (!address) throw Error(fmt::format("Compiled code lacks the function '{}'.", name));
  return address;
}

std::shared_ptr<LoadedCode> compile_and_load(const std::string& source) {
  fs::path compiler = find_compiler();
  if (compiler.empty()) throw Error("No C++ compiler was found; choose --backend interpreter.");
  const std::string label = compiler_identity(compiler) + source;

  fs::path stem = private_cache_folder() / fmt::format("{:016x}{:016x}", fnv1a(label, 0xcbf29ce484222325ULL),
                                                       fnv1a(label, 0x84222325cbf29ce4ULL));
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<LoadedCode>> loaded;
  std::lock_guard lock(mutex);
  if (auto known = loaded[stem.string()].lock()) return known;
  if (!intact(stem, label)) {
    const OneAtATime turn(stem);
    if (!intact(stem, label)) compile(compiler, label, stem);
  }
  auto fresh = std::make_shared<LoadedCode>(fs::path(stem) += ".so");
  loaded[stem.string()] = fresh;
  return fresh;
}

}  // namespace gfdt::kernel

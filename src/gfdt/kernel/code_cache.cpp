#include "gfdt/kernel/code_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "gfdt/core/error.hpp"

extern char** environ;

namespace gfdt::kernel {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> compiler_flags() {
  return {
    "-std=c++20", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC",
        "-shared", "-w",
#if defined(__x86_64__)
        "-mprefer-vector-width=512",
#endif
  };
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

/// What the compiler will make of `-march=native`: the model and features of the first processor.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text, line;
  while (std::getline(file, line) && !line.empty())
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      text += line + "\n";
  return text;
}

/// Which compiler this is, without the cost of asking it.
std::string identity(const fs::path& compiler) {
  fs::path real = fs::canonical(compiler);
  struct stat status {};
  stat(real.c_str(), &status);
  return fmt::format("{} {} {}", real.string(), status.st_size, status.st_mtime);
}

std::uint64_t fnv1a(const std::string& text, std::uint64_t hash) {
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ULL;
  return hash;
}

/// Runs a program without a shell; returns its exit status, and its error output in `words`.
int run(const std::vector<std::string>& command, const fs::path& input_file, const fs::path& output_file,
        std::string& words) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, input_file.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int failure = posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    words = std::strerror(failure);
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  words = read_file(output_file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  fs::path text = fs::path(own) += ".cpp", code = fs::path(own) += ".so", words_file = fs::path(own) += ".log";
  RemovedAtEnd temporary{{text, code, words_file}};
  write_file(text, source);
  std::vector<std::string> command{compiler.string()};
  for (const std::string& flag : compiler_flags()) command.push_back(flag);
  command.insert(command.end(), {"-o", code.string(), "-x", "c++", "-"});
  std::string words;
  int status = run(command, text, words_file, words);
  if (status != 0)
    throw Error(fmt::format("The compiler '{}' failed on generated code (status {}): {}", compiler.string(), status,
                            words.substr(0, 2000)));
  if (!fs::exists(code)) throw Error(fmt::format("The compiler '{}' left no code.", compiler.string()));
  write_file(text, source + seal(read_file(code)));
  rename_file(code, fs::path(stem) += ".so");
  rename_file(text, fs::path(stem) += ".cpp");
}

bool can_run(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

fs::path on_search_path(const std::string& name) {
  const char* search = std::getenv("PATH");
  std::istringstream folders(search ? search : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::path candidate = fs::path(folder) / name; !folder.empty() && can_run(candidate)) return candidate;
  return {};
}

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

fs::path find_compiler() {
  if (const char* chosen = std::getenv("GFDT_CXX"); chosen && *chosen != '\0') {
    if (!std::strchr(chosen, '/')) return on_search_path(chosen);
    return can_run(chosen) ? fs::path(chosen) : fs::path();
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (fs::path found = on_search_path(name); !found.empty()) return found;
  return {};
}

std::shared_ptr<LoadedCode> compile_and_load(const std::string& source) {
  fs::path compiler = find_compiler();
  if (compiler.empty()) throw Error("No C++ compiler was found; choose --backend interpreter.");
  std::string label = "// " + identity(compiler);
  for (const std::string& flag : compiler_flags()) label += " " + flag;
  std::istringstream machine(processor());
  for (std::string line; std::getline(machine, line);) label += "\n// " + line;
  label += "\n" + source;

  fs::path stem = private_cache_folder() / fmt::format("{:016x}{:016x}", fnv1a(label, 0xcbf29ce484222325ULL),
                                                       fnv1a(label, 0x84222325cbf29ce4ULL));
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<LoadedCode>> loaded;
  std::lock_guard lock(mutex);
  if (auto known = loaded[stem.string()].lock()) return known;
  if (!intact(stem, label)) compile(compiler, label, stem);
  auto fresh = std::make_shared<LoadedCode>(fs::path(stem) += ".so");
  loaded[stem.string()] = fresh;
  return fresh;
}

}  // namespace gfdt::kernel

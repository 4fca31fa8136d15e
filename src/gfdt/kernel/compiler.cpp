#include "gfdt/kernel/compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

/// Runs a program without a shell; returns its exit status, or -1 when it could not be run or was killed.
int run(const std::vector<std::string>& command, const fs::path& input_file, const fs::path& output_file) {
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
  if (failure != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

/// The beginning of a file, enough of a compiler's complaints to be understood.
std::string first_words(const fs::path& file) {
  constexpr std::size_t enough = 2000;
  std::string text(enough, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(enough));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

fs::path find_compiler() {
  if (const char* chosen = std::getenv("GFDT_CXX"); chosen && *chosen != '\0') {
    if (!std::strchr(chosen, '/')) return on_search_path(chosen);
    return can_run(chosen) ? fs::path(chosen) : fs::path();
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (fs::path found = on_search_path(name); !found.empty()) return found;
  return {};
}

std::string compiler_identity(const fs::path& compiler) {
  std::string text = "// " + identity(compiler);
  for (const std::string& flag : compiler_flags()) text += " " + flag;
  std::istringstream machine(processor());
  for (std::string line; std::getline(machine, line);) text += "\n// " + line;
  return text + "\n";
}

void run_compiler(const fs::path& compiler, const fs::path& source, const fs::path& code, const fs::path& words) {
  std::vector<std::string> command{compiler.string()};
  for (const std::string& flag : compiler_flags()) command.push_back(flag);
  command.insert(command.end(), {"-o", code.string(), "-x", "c++", "-"});
  int status = run(command, source, words);
  if (status != 0)
    throw Error(fmt::format("The compiler '{}' failed on generated code (status {}): {}", compiler.string(), status,
                            first_words(words)));
  if (!fs::exists(code)) throw Error(fmt::format("The compiler '{}' left no code.", compiler.string()));
}

}  // namespace gfdt::kernel

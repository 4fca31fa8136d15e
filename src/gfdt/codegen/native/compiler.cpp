#include "gfdt/codegen/native/compiler.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/parallel/child_process.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::codegen {
namespace {

namespace fs = std::filesystem;

constexpr double longest_compilation = 60;  // seconds

std::vector<std::string> compiler_flags() {
  return {
    "-std=c++20", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC",
        "-shared", "-w",
#if defined(__x86_64__)
        "-mprefer-vector-width=512",
#endif
  };
}

/// Determines the effect of `-march=native`: model and features of the first processor.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text, line;
  while (std::getline(file, line) && !line.empty())
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      text += line + "\n";
  return text;
}

/// Identifies the compiler by path, size and modification time, without running it.
std::string identity(const fs::path& compiler) {
  fs::path real = fs::canonical(compiler);
  struct stat status {};
  stat(real.c_str(), &status);
  return fmt::format("{} {} {}", real.string(), status.st_size, status.st_mtime);
}

bool can_run(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// Skips relative folders: a program in the current folder is never run.
fs::path on_search_path(const std::string& name) {
  const char* search = std::getenv("PATH");
  std::istringstream folders(search ? search : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::path candidate = fs::path(folder) / name; candidate.is_absolute() && can_run(candidate)) return candidate;
  return {};
}

/// Half of the physical memory, in bytes; the rest is left to other programs. 0 if unknown.
std::uint64_t most_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 2 : 0;
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

std::string compiler_description() {
  const fs::path compiler = find_compiler();
  if (compiler.empty()) return {};
  static std::mutex mutex;
  static std::map<fs::path, std::string> known;
  std::lock_guard lock(mutex);
  std::string& text = known[compiler];
  if (!text.empty()) return text;
  constexpr double enough = 10;  // seconds
  const std::string said = run_child({.command = {compiler.string(), "--version"}, .timeout = enough}).printed;
  text = said.substr(0, said.find('\n'));
  for (const std::string& flag : compiler_flags()) text += " " + flag;
  return text;
}

void run_compiler(const fs::path& compiler, const fs::path& source, const fs::path& code) {
  std::vector<std::string> command{compiler.string()};
  for (const std::string& flag : compiler_flags()) command.push_back(flag);
  command.insert(command.end(), {"-o", code.string(), "-x", "c++", "-"});
  const ChildOutcome outcome = run_child(
      {.command = std::move(command), .input = source, .timeout = longest_compilation, .memory = most_memory()},
      &ranks::stopping());
  if (outcome.end == ChildOutcome::End::cancelled) throw Error("Stopped while the formulas were compiled.");
  if (outcome.end == ChildOutcome::End::timed_out)
    throw CompilationFailed(fmt::format("The compiler '{}' did not end within {:g} seconds on these formulas.",
                                        compiler.string(), longest_compilation));
  constexpr std::size_t enough = 2000;  // enough to understand the error
  if (!outcome.well())
    throw CompilationFailed(fmt::format("The compiler '{}' failed on generated code: {}.\n{}", compiler.string(),
                                        outcome.words(), outcome.printed.substr(0, enough)));
  if (!fs::exists(code)) throw CompilationFailed(fmt::format("The compiler '{}' left no code.", compiler.string()));
}

}  // namespace gfdt::codegen

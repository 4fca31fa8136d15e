#include "gfdt/codegen/native/code_cache.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "gfdt/base/code_store.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/codegen/native/compiler.hpp"

namespace gfdt::codegen {

namespace fs = std::filesystem;

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
  const fs::path compiler = find_compiler();
  if (compiler.empty()) throw Error("No C++ compiler was found; choose --backend interpreter.");
  // The source is passed on standard input, so that its file name does not become part of the code and processes that
  // compile the same source concurrently produce identical files.
  const CompiledText text{.text = compiler_identity(compiler) + source};
  static std::mutex mutex;
  static std::map<fs::path, std::weak_ptr<LoadedCode>> loaded;
  std::lock_guard lock(mutex);
  std::weak_ptr<LoadedCode>& place = loaded[text.file()];
  if (auto known = place.lock()) return known;
  auto fresh = std::make_shared<LoadedCode>(
      compiled_once(text, [&](const fs::path& from, const fs::path& code) { run_compiler(compiler, from, code); }));
  place = fresh;
  return fresh;
}

}  // namespace gfdt::codegen

#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace gfdt::codegen {

/// A loaded shared object with generated code; unloaded on destruction.
class LoadedCode {
 public:
  explicit LoadedCode(const std::filesystem::path& file);
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  void* function(const char* name) const;  ///< throws Error if missing

 private:
  void* handle_;
};

/// Compiles `source` for this machine and loads the result. Uses the cache if it holds an intact result for the same
/// source, compiler, flags and processor. Throws Error, with the compiler's output, on failure.
std::shared_ptr<LoadedCode> compile_and_load(const std::string& source);

}  // namespace gfdt::codegen

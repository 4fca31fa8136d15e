#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace gfdt::codegen {

/// A loaded piece of generated code; unloaded with its last owner.
class LoadedCode {
 public:
  explicit LoadedCode(const std::filesystem::path& file);
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  void* function(const char* name) const;  ///< throws Error when missing

 private:
  void* handle_;
};

/// Compiles `source` for this machine and loads it, or loads what an earlier compilation of the very same source,
/// compiler, flags and processor left in the cache, unless that is damaged. Throws Error with the compiler's words when
/// it fails.
std::shared_ptr<LoadedCode> compile_and_load(const std::string& source);

}  // namespace gfdt::codegen

#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace gfdt {

/// Folder for compiled code. Only the current user may write to it, because the code is loaded and executed. The path
/// is the environment variable `GFDT_CACHE` if set, otherwise `gfdt` in the user's cache folder. Created with mode 0700
/// if missing. Throws Error if the folder cannot be created, or if another user owns it or may write to it.
std::filesystem::path private_cache_folder();

/// Source text of a compilation with everything that determines the result (source, compiler, flags, processor), and
/// the file name extensions.
struct CompiledText {
  std::string text;
  const char* text_ending = ".cpp";
  const char* code_ending = ".so";

  /// Path of the compiled code in the cache.
  std::filesystem::path file() const;
};

/// Compiles the file `text` to the file `code`. Throws on failure.
using Compilation = std::function<void(const std::filesystem::path& text, const std::filesystem::path& code)>;

/// Returns the path of the compiled code. Calls `compile` only if the cache contains no intact result of an earlier
/// compilation by this or another process.
std::filesystem::path compiled_once(const CompiledText& text, const Compilation& compile);

/// Contents of a file; empty if it is not a regular file or cannot be read.
std::string bytes_of(const std::filesystem::path& file);

}  // namespace gfdt

#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace gfdt {

/// A folder of compiled code that only this user can write: what is in it gets loaded. `GFDT_CACHE` names it, else it
/// is `gfdt` in the user's cache folder. Created with mode 0700 when missing; throws Error when someone else could
/// write to it.
std::filesystem::path private_cache_folder();

/// Text that was compiled, with all that decides the code: source, compiler, flags, processor; and how its files end.
struct CompiledText {
  std::string text;
  const char* text_ending = ".cpp";
  const char* code_ending = ".so";

  /// Where the code belongs in the cache.
  std::filesystem::path file() const;
};

/// Makes the file of code from that of the text. Throws where it fails.
using Compilation = std::function<void(const std::filesystem::path& text, const std::filesystem::path& code)>;

/// Sees to it that the code is in its place: an earlier compilation left it there, by this process or another, and it
/// is not damaged, or this one does. Returns where.
std::filesystem::path compiled_once(const CompiledText& text, const Compilation& compile);

/// The bytes of a file; none where it cannot be read.
std::string bytes_of(const std::filesystem::path& file);

}  // namespace gfdt

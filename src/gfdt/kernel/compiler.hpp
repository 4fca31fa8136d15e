#pragma once

#include <filesystem>
#include <string>

namespace gfdt::kernel {

/// Path of the system's C++ compiler: `GFDT_CXX`, a path or a name on the search path, else the first of c++, g++,
/// clang++ there; empty when none.
std::filesystem::path find_compiler();

/// Lines of comment that tell apart whatever can change the code: the compiler, its flags and the processor it compiles
/// for.
std::string compiler_identity(const std::filesystem::path& compiler);

/// Compiles a file of C++ into code that can be loaded. `words` is a file for what the compiler says; it is quoted in
/// the Error that is thrown when it fails.
void run_compiler(const std::filesystem::path& compiler, const std::filesystem::path& source,
                  const std::filesystem::path& code, const std::filesystem::path& words);

}  // namespace gfdt::kernel

#pragma once

#include <filesystem>
#include <string>

#include "gfdt/base/error.hpp"

namespace gfdt::codegen {

/// Path of the system's C++ compiler: `GFDT_CXX`, a path or a name on the search path, else the first of c++, g++,
/// clang++ there; empty when none.
std::filesystem::path find_compiler();

/// Lines of comment that tell apart whatever can change the code: the compiler, its flags and the processor it compiles
/// for.
std::string compiler_identity(const std::filesystem::path& compiler);

/// The name and version of the compiler, as it says them itself, and its flags: what decides the bits of results on one
/// kind of processor. Empty where there is none.
std::string compiler_description();

/// With what the compiler says.
class CompilationFailed : public Error {
 public:
  using Error::Error;
};

/// Compiles a file of C++ into code that can be loaded. Throws CompilationFailed where that fails, or takes too much
/// time or memory, and Error where it is stopped.
void run_compiler(const std::filesystem::path& compiler, const std::filesystem::path& source,
                  const std::filesystem::path& code);

}  // namespace gfdt::codegen

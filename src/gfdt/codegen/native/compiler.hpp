#pragma once

#include <filesystem>
#include <string>

#include "gfdt/base/error.hpp"

namespace gfdt::codegen {

/// Path of the C++ compiler: `GFDT_CXX` (a path or a name on the search path) if set, otherwise the first of c++, g++
/// and clang++ on the search path. Empty if there is none.
std::filesystem::path find_compiler();

/// Comment lines that identify everything that affects the code: compiler, flags and processor.
std::string compiler_identity(const std::filesystem::path& compiler);

/// Name and version of the compiler, as it reports them, and its flags. On one type of processor they determine the
/// results bit by bit. Empty if there is no compiler.
std::string compiler_description();

/// The compiler failed; the message contains its output.
class CompilationFailed : public Error {
 public:
  using Error::Error;
};

/// Compiles a C++ file to a shared object. Throws CompilationFailed if this fails or exceeds the limit on time or
/// memory, and Error if it is cancelled.
void run_compiler(const std::filesystem::path& compiler, const std::filesystem::path& source,
                  const std::filesystem::path& code);

}  // namespace gfdt::codegen

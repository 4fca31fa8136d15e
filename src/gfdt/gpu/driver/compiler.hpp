#pragma once

#include <string>
#include <vector>

namespace gfdt::gpu {

/// Machine code for a GPU.
using Image = std::vector<char>;

/// Why device code cannot be compiled on this machine; empty where it can. The compiler, NVRTC, is opened at run time;
/// GFDT_NVRTC names its library where it lies elsewhere.
std::string compiler_missing();

/// Compiles CUDA C++ for a compute capability, 90 say. A source that does not compile is kept in a file that the Error
/// names. What was compiled before comes from memory, or from the cache (base/code_store.hpp).
Image compile(const std::string& source, int capability);

}  // namespace gfdt::gpu

#pragma once

#include <string>
#include <vector>

namespace gfdt::gpu {

/// Machine code for a GPU.
using Image = std::vector<char>;

/// Reason why device code cannot be compiled on this machine; empty if it can. The compiler, NVRTC, is loaded at run
/// time; the environment variable GFDT_NVRTC may give the path of its library.
std::string compiler_missing();

/// Compiles CUDA C++ for a compute capability, such as 90 for 9.0. Results are kept in memory and in the cache
/// (base/code_store.hpp). Throws Error if the source does not compile; the message names a file with the source.
Image compile(const std::string& source, int capability);

}  // namespace gfdt::gpu

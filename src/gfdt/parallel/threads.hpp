#pragma once

#include <cstddef>
#include <functional>

namespace gfdt {

/// Number of threads this process may use: the cores of its affinity mask, shared with other ranks on the same machine.
int available_threads();

/// Calls `work(block)` once for each block in [0, blocks) on `threads` threads, in no particular order. After the first
/// exception no further blocks start, and the exception is rethrown here.
void for_each_block(std::size_t blocks, int threads, const std::function<void(std::size_t)>& work);

}  // namespace gfdt

#pragma once

#include <cstddef>
#include <functional>

namespace gfdt {

/// Number of threads this process may use: all cores that it is let, shared with other ranks on the same machine.
int available_threads();

/// Calls `work(block)` once for each block in [0, blocks), on `threads` threads, in no particular order.
/// The first exception stops the handing out of further blocks and is rethrown here.
void for_each_block(std::size_t blocks, int threads, const std::function<void(std::size_t)>& work);

}  // namespace gfdt

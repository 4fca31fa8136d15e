#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt {

/// Serializes the results of a block.
struct BlockSerializer {
  std::function<void(std::size_t block, Packer&)> pack;
  std::function<void(std::size_t block, Unpacker&)> unpack;
};

/// `for_each_block` with the blocks distributed to the ranks. On return, the results of the blocks of other ranks have
/// been unpacked on this rank. `threads` = 0 uses all available threads.
void for_each_block_on_ranks(std::string_view label, std::size_t blocks, int threads,
                             const std::function<void(std::size_t)>& work, const BlockSerializer& serializer);

}  // namespace gfdt

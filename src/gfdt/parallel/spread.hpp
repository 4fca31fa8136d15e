#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt {

/// What a block has left, as bytes and back.
struct BlockSerializer {
  std::function<void(std::size_t block, Packer&)> pack;
  std::function<void(std::size_t block, Unpacker&)> unpack;
};

/// for_each_block with the blocks dealt out to the ranks. When it returns, what blocks of other ranks have left has
/// been unpacked here. `threads` may be 0 for all there are.
void for_each_block_on_ranks(std::string_view label, std::size_t blocks, int threads,
                             const std::function<void(std::size_t)>& work, const BlockSerializer& serializer);

}  // namespace gfdt

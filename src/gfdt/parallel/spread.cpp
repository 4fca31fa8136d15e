#include "gfdt/parallel/spread.hpp"

#include <fmt/format.h>

#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/threads.hpp"

namespace gfdt {

void for_each_block_on_ranks(std::string_view label, std::size_t blocks, int threads,
                             const std::function<void(std::size_t)>& work, const BlockSerializer& serializer) {
  if (threads <= 0) threads = available_threads();
  if (ranks::count() == 1) return for_each_block(blocks, threads, work);
  const int here = ranks::own();
  ranks::exchange(
      fmt::format("{}, {} blocks", label, blocks),
      [&] {
        const auto [first, end] = ranks::share_of(blocks, here);
        for_each_block(end - first, threads, [&, first = first](std::size_t i) { work(first + i); });
        Packer packer;
        for (std::size_t block = first; block < end; ++block) serializer.pack(block, packer);
        return packer.take();
      },
      [&](int rank, std::string_view bytes) {
        if (rank == here) return;
        Unpacker unpacker(bytes);
        const auto [first, end] = ranks::share_of(blocks, rank);
        for (std::size_t block = first; block < end; ++block) serializer.unpack(block, unpacker);
      });
}

}  // namespace gfdt

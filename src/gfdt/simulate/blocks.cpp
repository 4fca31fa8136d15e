#include "gfdt/simulate/blocks.hpp"

#include <algorithm>

#include "gfdt/core/ranks.hpp"
#include "gfdt/core/threads.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::simulate {

std::vector<Block> make_blocks(std::span<const Pending> pending, int lanes, std::size_t first_number) {
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < pending.size(); begin += static_cast<std::size_t>(lanes)) {
    Block& block = blocks.emplace_back();
    block.number = first_number + blocks.size() - 1;
    block.lanes = lanes;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane) {
      const Pending& entry = pending[std::min(begin + lane, pending.size() - 1)];
      block.streams.push_back(stream_of(entry.member, entry.attempt));
      if (begin + lane < pending.size()) block.members.push_back(entry.member);
    }
  }
  return blocks;
}

std::vector<std::unique_ptr<BlockSink>> OrderedClosing::open(const Block& block) {
  std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<BlockSink>> opened;
  for (Sink* sink : sinks_) opened.push_back(sink->open(block));
  return opened;
}

void OrderedClosing::finished(const Block& block, std::vector<std::unique_ptr<BlockSink>> sinks,
                              std::vector<bool> sound) {
  std::lock_guard lock(mutex_);
  waiting_.emplace(block.number, Finished{&block, std::move(sinks), std::move(sound)});
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.erase(first), ++next_)
    for (std::size_t i = 0; i < sinks_.size(); ++i)
      sinks_[i]->close(*first->second.block, std::move(first->second.sinks[i]), first->second.sound);
}

namespace {

/// The blocks of each rank: a share, or all of them on the first.
std::pair<std::size_t, std::size_t> blocks_of(int rank, std::size_t blocks, bool split) {
  if (split) return ranks::share_of(blocks, rank);
  return {0, rank == 0 ? blocks : 0};
}

}  // namespace

std::vector<std::vector<bool>> run_blocks(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, int threads, const RunBlock& run) {
  if (threads <= 0) threads = available_threads();
  std::vector<std::vector<bool>> sound(blocks.size());
  if (blocks.empty()) return sound;
  OrderedClosing closing(sinks, blocks[0].number);
  if (ranks::count() == 1) {
    for_each_block(blocks.size(), threads, [&](std::size_t i) {
      auto opened = closing.open(blocks[i]);
      std::optional<std::vector<bool>> found = run(blocks[i], opened);
      if (!found) return;
      sound[i] = *found;
      closing.finished(blocks[i], std::move(opened), std::move(*found));
    });
    return sound;
  }
  const int here = ranks::own();
  const bool split = std::ranges::all_of(sinks, [](const Sink* sink) { return sink->travels(); });
  ranks::exchange(
      label,
      [&] {
        const auto [first, end] = blocks_of(here, blocks.size(), split);
        std::vector<std::string> packed(end - first);
        for_each_block(packed.size(), threads, [&, first = first](std::size_t i) {
          const Block& block = blocks[first + i];
          auto opened = closing.open(block);
          const std::optional<std::vector<bool>> found = run(block, opened);
          Packer packer;
          packer.put(found.has_value());
          if (found) {
            packer.put(*found);
            for (const auto& sink : opened) sink->pack(packer);
          }
          packed[i] = packer.take();
        });
        std::string all;
        for (std::string& bytes : packed) all += std::exchange(bytes, {});
        return all;
      },
      [&](int rank, std::string_view bytes) {
        Unpacker unpacker(bytes);
        const auto [first, end] = blocks_of(rank, blocks.size(), split);
        for (std::size_t i = first; i < end; ++i) {
          if (!unpacker.get<bool>()) continue;
          unpacker.get(sound[i]);
          auto opened = closing.open(blocks[i]);
          for (const auto& sink : opened) sink->unpack(unpacker);
          closing.finished(blocks[i], std::move(opened), sound[i]);
        }
      });
  return sound;
}

}  // namespace gfdt::simulate

#include "gfdt/simulate/blocks.hpp"

#include <algorithm>

#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/threads.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::simulate {

std::unique_ptr<DeviceSink> Sink::open_on_device(const gpu::Device&, std::span<const Block>, Precision) {
  return nullptr;
}

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

void OrderedClosing::finished(const Block& block, BlockSinks sinks, std::vector<bool> sound) {
  std::lock_guard lock(mutex_);
  waiting_.emplace(block.number, Finished{&block, std::move(sinks), std::move(sound)});
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.erase(first), ++next_)
    for (std::size_t i = 0; i < sinks_.size(); ++i)
      sinks_[i]->close(*first->second.block, std::move(first->second.sinks[i]), first->second.sound);
}

namespace {

BlockSinks open_all(std::span<Sink* const> sinks, const Block& block) {
  BlockSinks opened;
  for (Sink* const sink : sinks) opened.push_back(sink->open(block));
  return opened;
}

/// Range of blocks of a rank: its share if `split`; otherwise the root rank has all of them.
std::pair<std::size_t, std::size_t> blocks_of(int rank, std::size_t blocks, bool split) {
  if (split) return ranks::share_of(blocks, rank);
  return {0, rank == 0 ? blocks : 0};
}

}  // namespace

std::vector<std::vector<bool>> run_shares(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, const RunShare& run) {
  std::vector<std::vector<bool>> sound(blocks.size());
  if (blocks.empty()) return sound;
  const auto place = [&](const Block& block) { return block.number - blocks[0].number; };
  OrderedClosing closing(sinks, blocks[0].number);
  if (ranks::count() == 1) {
    run(blocks, [&](const Block& block, BlockSinks opened, const std::vector<bool>& found) {
      sound[place(block)] = found;
      closing.finished(block, std::move(opened), found);
    });
    return sound;
  }
  const int here = ranks::own();
  const bool split = std::ranges::all_of(sinks, [](const Sink* sink) { return sink->travels(); });
  ranks::exchange(
      label,
      [&] {
        const auto [first, end] = blocks_of(here, blocks.size(), split);
        Packer stopped;
        stopped.put(false);
        std::vector<std::string> packed(end - first, stopped.take());
        run(std::span(blocks).subspan(first, end - first),
            [&, first = first](const Block& block, BlockSinks opened, const std::vector<bool>& found) {
              Packer packer;
              packer.put(true);
              packer.put(found);
              for (const auto& sink : opened) sink->pack(packer);
              packed[place(block) - first] = packer.take();
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
          BlockSinks opened = open_all(sinks, blocks[i]);
          for (const auto& sink : opened) sink->unpack(unpacker);
          closing.finished(blocks[i], std::move(opened), sound[i]);
        }
      });
  return sound;
}

std::vector<std::vector<bool>> run_blocks(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, int threads, const RunBlock& run) {
  if (threads <= 0) threads = available_threads();
  std::mutex opening;
  return run_shares(label, blocks, sinks, [&](std::span<const Block> share, const Done& done) {
    for_each_block(share.size(), threads, [&](std::size_t i) {
      BlockSinks opened = [&] {
        std::lock_guard lock(opening);
        return open_all(sinks, share[i]);
      }();
      if (std::optional<std::vector<bool>> sound = run(share[i], opened)) done(share[i], std::move(opened), *sound);
    });
  });
}

}  // namespace gfdt::simulate

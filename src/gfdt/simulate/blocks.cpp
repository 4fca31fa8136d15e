#include "gfdt/simulate/blocks.hpp"

#include <algorithm>

#include "gfdt/simulate/device_sink.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::simulate {

std::unique_ptr<DeviceSink> Sink::open_on_device(const cuda::Device&, std::span<const Block>, Precision) {
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

}  // namespace gfdt::simulate

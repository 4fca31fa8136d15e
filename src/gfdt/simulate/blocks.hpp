#pragma once

#include <map>
#include <mutex>
#include <span>

#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// A member waiting to be run: its number and which attempt this is.
struct Pending {
  std::uint32_t member;
  int attempt;
};

/// Blocks of `lanes` members in the order given; the last member stands in the padding lanes too.
std::vector<Block> make_blocks(std::span<const Pending> pending, int lanes, std::size_t first_number);

/// Opens blocks one at a time, and closes them in the order of their numbers, each as soon as all before it are closed.
class OrderedClosing {
 public:
  OrderedClosing(std::span<Sink* const> sinks, std::size_t first_number) : sinks_(sinks), next_(first_number) {}

  std::span<Sink* const> sinks() const { return sinks_; }
  std::vector<std::unique_ptr<BlockSink>> open(const Block& block);
  void finished(const Block& block, std::vector<std::unique_ptr<BlockSink>> sinks, std::vector<bool> sound);

 private:
  struct Finished {
    const Block* block;
    std::vector<std::unique_ptr<BlockSink>> sinks;
    std::vector<bool> sound;
  };
  std::span<Sink* const> sinks_;
  std::size_t next_;
  std::map<std::size_t, Finished> waiting_;
  std::mutex mutex_;
};

}  // namespace gfdt::simulate

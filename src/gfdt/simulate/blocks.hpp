#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// A member waiting to be run: its number and which attempt this is.
struct Pending {
  std::uint32_t member;
  int attempt;
};

/// Blocks of `lanes` members in the order given; the last member stands in the padding lanes too.
std::vector<Block> make_blocks(std::span<const Pending> pending, int lanes, std::size_t first_number);

/// What the sinks of a run have of one block.
using BlockSinks = std::vector<std::unique_ptr<BlockSink>>;

/// Closes blocks in the order of their numbers, each as soon as all before it are closed.
class OrderedClosing {
 public:
  OrderedClosing(std::span<Sink* const> sinks, std::size_t first_number) : sinks_(sinks), next_(first_number) {}

  void finished(const Block& block, BlockSinks sinks, std::vector<bool> sound);

 private:
  struct Finished {
    const Block* block;
    BlockSinks sinks;
    std::vector<bool> sound;
  };
  std::span<Sink* const> sinks_;
  std::size_t next_;
  std::map<std::size_t, Finished> waiting_;
  std::mutex mutex_;
};

/// Takes what the sinks have seen of a block that came to its end, and which of its members stayed sound. May be called
/// from several threads at once.
using Done = std::function<void(const Block&, BlockSinks, const std::vector<bool>& sound)>;
/// Opens sinks for some blocks, runs these, and hands over what comes to its end.
using RunShare = std::function<void(std::span<const Block> share, const Done& done)>;

/// Runs blocks here, or on all ranks, each with its share of them; on every rank all of them are closed, in the order
/// of their numbers. Returns the sound members of each block; nothing of a block that was stopped. `label` says what is
/// run: it must be the same on all ranks.
std::vector<std::vector<bool>> run_shares(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, const RunShare& run);

/// Shows all samples of a block to its sinks; returns which members stayed sound, or nothing where it was stopped.
using RunBlock =
    std::function<std::optional<std::vector<bool>>(const Block&, std::span<const std::unique_ptr<BlockSink>>)>;

/// The same on the threads of each rank, block by block. Sinks are opened one at a time.
std::vector<std::vector<bool>> run_blocks(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, int threads, const RunBlock& run);

}  // namespace gfdt::simulate

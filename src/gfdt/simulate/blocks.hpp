#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// A member to be run: its index and the number of previous attempts.
struct Pending {
  std::uint32_t member;
  int attempt;
};

/// Divides members into blocks of `lanes` members, in the given order. Padding lanes repeat the last member.
std::vector<Block> make_blocks(std::span<const Pending> pending, int lanes, std::size_t first_number);

/// Block sinks of a run for one block, one per sink.
using BlockSinks = std::vector<std::unique_ptr<BlockSink>>;

/// Closes blocks in the order of their numbers, each as soon as all previous blocks are closed.
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

/// Receives the block sinks of a completed block and which of its members remained stable. May be called concurrently.
using Done = std::function<void(const Block&, BlockSinks, const std::vector<bool>& sound)>;
/// Opens sinks for some blocks, runs these blocks, and passes each completed block to `done`.
using RunShare = std::function<void(std::span<const Block> share, const Done& done)>;

/// Runs blocks on this rank or distributes them to all ranks. All blocks are closed on every rank, in the order of
/// their numbers. Returns the stable members of each block; empty for a block that was stopped. `label` identifies the
/// run and must be the same on all ranks.
std::vector<std::vector<bool>> run_shares(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, const RunShare& run);

/// Passes all samples of a block to its sinks. Returns which members remained stable, or nothing if the run was
/// stopped.
using RunBlock =
    std::function<std::optional<std::vector<bool>>(const Block&, std::span<const std::unique_ptr<BlockSink>>)>;

/// The same with a thread pool on each rank, block by block. Sinks are opened one at a time.
std::vector<std::vector<bool>> run_blocks(std::string_view label, const std::vector<Block>& blocks,
                                          std::span<Sink* const> sinks, int threads, const RunBlock& run);

}  // namespace gfdt::simulate

#pragma once

#include <cstddef>
#include <span>

#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// Estimated memory of a run on the host in bytes, accurate to about 25 %.
struct MemoryUse {
  double per_member = 0;  ///< data kept by the sinks
  double per_thread = 0;  ///< block processed by a thread
  int members = 0, threads = 0, states = 0;

  double total() const { return per_member * members + per_thread * threads; }
};

/// `block_bytes`: size of a block of `lanes` members with `states` numbers each.
MemoryUse memory_use(const Options& options, std::span<Sink* const> sinks, std::size_t block_bytes, int states,
                     int lanes);

/// Throws Error, with the setting to change and a value that fits, if a run needs more memory than `available` bytes.
void require_memory(const MemoryUse& use, double available);

}  // namespace gfdt::simulate

#pragma once

#include <cstddef>
#include <span>

#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// Memory of a run on the host, in bytes. It may be a quarter off.
struct MemoryUse {
  double per_member = 0;  ///< what sinks keep
  double per_thread = 0;  ///< the block that a thread works on
  int members = 0, threads = 0, states = 0;

  double total() const { return per_member * members + per_thread * threads; }
};

/// `block_bytes`: of a block of `lanes` members with `states` numbers each.
MemoryUse memory_use(const Options& options, std::span<Sink* const> sinks, std::size_t block_bytes, int states,
                     int lanes);

/// Throws Error, with the setting to change and a value that fits, if a run needs more memory than `available` bytes.
void require_memory(const MemoryUse& use, double available);

}  // namespace gfdt::simulate

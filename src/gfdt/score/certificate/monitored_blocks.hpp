#pragma once

#include <string_view>

#include "gfdt/base/progress.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt::score {

/// Progress listener and cancellation for work on blocks.
struct Watch {
  std::string_view stage;
  const ProgressListener* progress = nullptr;
  const Cancellation* cancellation = nullptr;

  bool cancelled() const { return cancellation != nullptr && cancellation->requested(); }
};

/// for_each_block_on_ranks with progress reports and cancellation. After a cancellation no further block is started,
/// and the result is false.
bool for_each_monitored_block(std::size_t blocks, int threads, const Watch& watch,
                              const std::function<void(std::size_t)>& work, const BlockSerializer& serializer);

}  // namespace gfdt::score

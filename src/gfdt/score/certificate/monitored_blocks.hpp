#pragma once

#include <string_view>

#include "gfdt/base/progress.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt::score {

/// Who looks on while blocks are worked on, and who may stop it.
struct Watch {
  std::string_view stage;
  const ProgressListener* progress = nullptr;
  const Cancellation* cancellation = nullptr;

  bool cancelled() const { return cancellation != nullptr && cancellation->requested(); }
};

/// for_each_block_on_ranks that tells how far it has come and hands out no further block once it is cancelled: then
/// false.
bool for_each_monitored_block(std::size_t blocks, int threads, const Watch& watch,
                              const std::function<void(std::size_t)>& work, const BlockSerializer& serializer);

}  // namespace gfdt::score

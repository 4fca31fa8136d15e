#include "gfdt/simulate/memory_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/base/memory.hpp"

namespace gfdt::simulate {
namespace {

/// Rounds down to two significant digits, the accuracy of the estimate.
long rounded_down(double number) {
  if (number < 1) return 0;
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
  return static_cast<long>(std::floor(number / unit) * unit);
}

std::string remedy(const MemoryUse& use, double available) {
  const double members_fit = (available - use.per_thread * use.threads) / std::max(use.per_member, 1.0);
  if (members_fit >= 2) return fmt::format("simulation.members = {} would fit.", rounded_down(members_fit));
  const double threads_fit = (available - use.per_member * use.members) / use.per_thread;
  if (threads_fit >= 1) return fmt::format("--threads {:.0f} would fit.", std::floor(threads_fit));
  // For a single thread; the memory per member also grows with the number of states.
  const double states_fit = use.states * available / (use.per_member * use.members + use.per_thread);
  return fmt::format(
      "A model of {} states would fit, where this one has {}; simulation.precision = \"float\" halves what a state "
      "takes.",
      rounded_down(states_fit), use.states);
}

}  // namespace

MemoryUse memory_use(const Options& options, std::span<Sink* const> sinks, std::size_t block_bytes, int states,
                     int lanes) {
  MemoryUse use{.per_thread = static_cast<double>(block_bytes), .members = options.members, .states = states};
  const int blocks = (options.members + lanes - 1) / lanes;
  use.threads = std::min(options.thread_count(), blocks);
  for (const Sink* sink : sinks) use.per_member += static_cast<double>(sink->bytes_per_member());
  return use;
}

void require_memory(const MemoryUse& use, double available) {
  if (use.total() <= available) return;
  const auto counted = [](int count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  throw Error(fmt::format(
      "This run needs about {} of memory, and {} are available: {} per member ({}) and {} per thread "
      "({}). {}",
      bytes_text(use.total()), bytes_text(available), bytes_text(use.per_member), counted(use.members, "member"),
      bytes_text(use.per_thread), counted(use.threads, "thread"), remedy(use, available)));
}

}  // namespace gfdt::simulate

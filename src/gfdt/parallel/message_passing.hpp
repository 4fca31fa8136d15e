#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Communication between ranks. `mpi.cpp` implements it with MPI, `no_mpi.cpp` for a single process.
namespace gfdt::message_passing {

/// An asynchronous message to all other ranks, which they receive when they poll.
struct News {
  enum class Kind : int {
    stop = 1,  ///< a rank requests that all ranks stop
    end = 2,   ///< the rank takes part in no further communication
  };
  Kind kind = Kind::stop;
  int rank = 0;
  std::string text;
};

/// Whether an MPI launcher started this process.
bool launched();

/// Index of this rank, and the number of ranks.
struct Place {
  int rank = 0;
  int count = 1;
};
/// Initializes MPI. Call once, and only if `launched()`. Throws Error in a build without MPI.
Place start();

/// Called about every millisecond while a rank waits for the others; may throw.
using Waiting = std::function<void()>;

/// Concatenates the texts of all ranks, which must have equal length. Collective.
std::string gather_equal(std::string_view own, const Waiting& waiting);
/// Calls `take` with the text of each rank, in rank order. All ranks must pass the same `sizes`. Collective.
void gather(std::string_view own, const std::vector<std::size_t>& sizes,
            const std::function<void(int rank, std::string_view)>& take, const Waiting& waiting);
/// Copies the text of the root rank to all ranks. `text` must have the same size on all ranks. Collective.
void broadcast(std::string& text, const Waiting& waiting);

/// Sends a message to all other ranks without waiting. Returns false if this thread may not call MPI.
bool announce(News::Kind kind, const std::string& text);
/// Next message that has arrived, if any. May be called from any thread.
std::optional<News> look();

/// Finalizes MPI; no function above may be called afterwards. If ranks have left a collective operation (`torn`),
/// aborts all ranks with this status.
void finish(bool torn, int status);

}  // namespace gfdt::message_passing

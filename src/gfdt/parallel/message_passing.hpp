#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What ranks need of the system that starts them. `mpi.cpp` has it by MPI, `no_mpi.cpp` for a process by itself.
namespace gfdt::message_passing {

/// A word to all other ranks, out of turn: they find it when they look.
struct News {
  enum class Kind : int {
    stop = 1,  ///< a rank requests that all stop
    end = 2,   ///< this rank takes part in nothing any more
  };
  Kind kind = Kind::stop;
  int rank = 0;
  std::string text;
};

/// Whether a launcher of MPI has started this process.
bool launched();

struct Place {
  int rank = 0;
  int count = 1;
};
/// Once, where this was launched. Throws Error in a build without MPI.
Place start();

/// Called while a rank waits for the others, every millisecond or so; may throw.
using Waiting = std::function<void()>;

/// The texts of all ranks, of the same length each, one after the other. Waits for all of them.
std::string gather_equal(std::string_view own, const Waiting& waiting);
/// Calls `take` with the text of each rank, in their order; `sizes` are known to all.
void gather(std::string_view own, const std::vector<std::size_t>& sizes,
            const std::function<void(int rank, std::string_view)>& take, const Waiting& waiting);
/// The text of the first rank, whose size is known to all.
void broadcast(std::string& text, const Waiting& waiting);

/// Does not wait for anybody. False where this thread may not speak.
bool announce(News::Kind kind, const std::string& text);
/// News that have come and were not taken yet. May be called from any thread.
std::optional<News> look();

/// After it nothing of the above may be called. Where ranks have left each other in the middle of something, all of
/// them are ended here, with this status.
void finish(bool torn, int status);

}  // namespace gfdt::message_passing

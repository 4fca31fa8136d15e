#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "gfdt/base/progress.hpp"

/// Processes that work together on one problem, started by MPI on one or several machines. All ranks run the same
/// program and obtain the same numbers. Fixed blocks of work are distributed to the ranks, and all ranks receive the
/// results in rank order. A process that was not started by MPI is the only rank, without overhead.
namespace gfdt::ranks {

/// Index of this rank, and the number of ranks. Within the work of `exchange` they are 0 and 1.
int own();
int count();

/// Blocks [first, end) of a rank. They are contiguous, so that results in rank order are in block order.
std::pair<std::size_t, std::size_t> share_of(std::size_t blocks, int rank);

/// Calls `work` on every rank, and then `take(rank, bytes)` on every rank with the result of each, in rank order. An
/// exception in `work` on any rank is thrown on all ranks as Error; if several fail, that of the lowest rank. `label`
/// identifies the exchange: if it differs between ranks, they have diverged and all of them throw Error. Within `work`,
/// each process behaves as a single rank, and a request to stop takes effect at once.
void exchange(std::string_view label, const std::function<std::string()>& work,
              const std::function<void(int rank, std::string_view bytes)>& take);

/// Calls `say` on the root rank only, which may use all cores of its affinity mask, and returns its result on all
/// ranks.
std::string broadcast_from_root(std::string_view label, const std::function<std::string()>& say);
bool decide_on_root(std::string_view label, const std::function<bool()>& say);
/// Calls `work` on the root rank only, for example to write a file.
void run_on_root(std::string_view label, const std::function<void()>& work);

/// Throws Error on all ranks if the text of any rank differs from that of the root rank. The message gives the
/// difference and the ranks.
void require_same(const std::string& what, const std::string& text);
/// The same for numbers, which are compared by a hash.
void require_same(const std::string& what, std::span<const double> numbers);

/// Requests that all ranks stop. May be called from a signal handler.
void request_stop() noexcept;
/// Becomes set on all ranks at the same point of the program: at the end of the exchange in which a rank made the
/// request. Within the work of an exchange it is set at once.
const Cancellation& stopping();
/// Checks for requests and failures of other ranks. Cheap enough to call every millisecond; may be called from any
/// thread.
void poll();

/// Whether an MPI launcher appears to have started this process.
bool launched();
/// Joins the other ranks. Throws Error if that is not possible.
void start();
/// Number of cores available to this rank, where a core that n ranks may use counts as 1/n. 0 if this process was not
/// launched by MPI.
int cores();

/// Result of the program on a rank. `sentence` is the message to print, empty if there is none.
struct Outcome {
  int status = 0;
  std::string sentence;
};
/// Thrown if a rank waits for one that has ended. Only the caller of `end` catches it. The sentence is empty if the
/// other rank reports the reason itself.
struct EndedElsewhere {
  std::string sentence;
};
/// Sends the result of this rank to the others, waits for theirs, and returns the exit status of the whole program. The
/// lowest rank that responds prints the message with `print`. Aborts all ranks if one of them left an exchange before
/// it was complete.
int end(Outcome own, const std::function<void(const std::string&)>& print);

/// Communication statistics of this rank.
struct Traffic {
  std::uint64_t exchanges = 0;
  std::uint64_t sent = 0, received = 0;  ///< bytes
  double waited = 0;                     ///< seconds spent waiting
};
Traffic traffic();

}  // namespace gfdt::ranks

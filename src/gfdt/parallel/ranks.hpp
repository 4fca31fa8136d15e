#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "gfdt/base/progress.hpp"

/// Processes that work on one problem together, started by MPI on one machine or on many. All of them run the same
/// program and come to the same numbers; work in fixed blocks is dealt out, and what it leaves is shown to all in the
/// order of the ranks. A process that was started by itself is the only rank, and nothing here costs it anything.
namespace gfdt::ranks {

/// Number of this rank, and how many there are. Who does a share of the work (see `exchange`) is by itself: 0 of 1.
int own();
int count();

/// Blocks [first, end) of this rank. They are contiguous: what comes in the order of ranks is in the order of blocks.
std::pair<std::size_t, std::size_t> share_of(std::size_t blocks, int rank);

/// Calls `work` on every rank and `take(rank, bytes)` with what each has returned, in the order of the ranks, on every
/// rank. An exception in `work` on one of them is thrown on all, as Error; the first rank's where there are several.
/// `label` tells what this is about: ranks with different labels have diverged, which is thrown on all.
/// Inside of `work` this process is by itself, and a request to stop is honoured at once.
void exchange(std::string_view label, const std::function<std::string()>& work,
              const std::function<void(int rank, std::string_view bytes)>& take);

/// What `say` returns on the first rank; it is called there alone, and may use all cores in reach.
std::string broadcast_from_root(std::string_view label, const std::function<std::string()>& say);
bool decide_on_root(std::string_view label, const std::function<bool()>& say);
/// For what is done once, such as the writing of a file.
void run_on_root(std::string_view label, const std::function<void()>& work);

/// Throws Error on all ranks where one of them has another text than the first: where they differ, and who.
void require_same(const std::string& what, const std::string& text);
/// Likewise of numbers, by a digest of them.
void require_same(const std::string& what, std::span<const double> numbers);

/// Wishes that all ranks stop. May be called by a signal handler.
void request_stop() noexcept;
/// Requested on all ranks at the same place of the program: at the end of the exchange in which one of them requested
/// it. Those that are inside of such work see it at once.
const Cancellation& stopping();
/// Looks for requests and failures of others; cheap enough to be called every millisecond, from any thread.
void poll();

/// Whether a launcher has started this process as one of several, perhaps.
bool launched();
/// Joins the others. Throws Error where that is not possible.
void start();
/// Cores of this rank's machine divided by the ranks that may use them; 0 where this process was not launched.
int cores();

/// How the program ended on a rank; `sentence` is what is to be told, empty where nothing is.
struct Outcome {
  int status = 0;
  std::string sentence;
};
/// Thrown when a rank waits for one that has ended. Only the caller of `end` catches it. The sentence is empty if the
/// other rank reports the reason itself.
struct EndedElsewhere {
  std::string sentence;
};
/// Tells the others how it went here, waits for them, and returns how it went with all of them. The sentence is for one
/// rank to print, by `print`: the first that is there. May end the process where ranks have left each other in the
/// middle of an exchange.
int end(Outcome own, const std::function<void(const std::string&)>& print);

/// What this rank has told and heard.
struct Traffic {
  std::uint64_t exchanges = 0;
  std::uint64_t sent = 0, received = 0;  ///< bytes
  double waited = 0;                     ///< seconds
};
Traffic traffic();

}  // namespace gfdt::ranks

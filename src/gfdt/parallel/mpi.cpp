#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

#include "gfdt/parallel/message_passing.hpp"

// The static analyser expects MPI_Wait. Here, requests are completed by MPI_Test, or are freed without completion.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
namespace gfdt::message_passing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Largest number of bytes per MPI call: MPI counts them with an int.
constexpr std::size_t most_at_once = std::size_t{1} << 29;
/// Total size up to which one call gathers the data of all ranks; larger data are broadcast rank by rank.
constexpr std::size_t most_gathered = std::size_t{1} << 26;

std::mutex mutex;  // serializes calls to MPI
MPI_Comm work = MPI_COMM_NULL, talk = MPI_COMM_NULL;
Place place;
std::thread::id started_by;
bool any_thread = false;  // MPI may be called from any thread

bool may_call() { return any_thread || std::this_thread::get_id() == started_by; }

/// Waits for a collective operation. If `they_may_be_late`, sleeps between polls and leaves the processor to other
/// ranks.
void complete(MPI_Request& request, bool they_may_be_late, const Waiting& waiting) {
  constexpr auto shortest = 20us, longest = 1000us;
  auto nap = shortest;
  auto told = Clock::now();
  for (int looks = 0;; ++looks) {
    int done = 0;
    {
      std::lock_guard lock(mutex);
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (done) return;
    if (Clock::now() - told > 1ms) {
      waiting();
      told = Clock::now();
    }
    if (they_may_be_late && looks > 20) {
      std::this_thread::sleep_for(nap);
      nap = std::min(nap * 2, longest);
    } else {
      std::this_thread::yield();
    }
  }
}

void broadcast_from(int root, char* data, std::size_t size, const Waiting& waiting) {
  for (std::size_t first = 0; first < size; first += most_at_once) {
    MPI_Request request;
    {
      std::lock_guard lock(mutex);
      MPI_Ibcast(data + first, static_cast<int>(std::min(most_at_once, size - first)), MPI_BYTE, root, work, &request);
    }
    complete(request, false, waiting);
  }
}

}  // namespace

bool launched() {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"},
      [](const char* name) { return std::getenv(name) != nullptr; });
}

Place start() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  any_thread = provided >= MPI_THREAD_SERIALIZED;
  started_by = std::this_thread::get_id();
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  MPI_Comm_dup(MPI_COMM_WORLD, &talk);
  MPI_Comm_rank(work, &place.rank);
  MPI_Comm_size(work, &place.count);
  return place;
}

std::string gather_equal(std::string_view own, const Waiting& waiting) {
  std::string all(own.size() * static_cast<std::size_t>(place.count), '\0');
  MPI_Request request;
  {
    std::lock_guard lock(mutex);
    MPI_Iallgather(own.data(), static_cast<int>(own.size()), MPI_BYTE, all.data(), static_cast<int>(own.size()),
                   MPI_BYTE, work, &request);
  }
  complete(request, true, waiting);
  return all;
}

void gather(std::string_view own, const std::vector<std::size_t>& sizes,
            const std::function<void(int, std::string_view)>& take, const Waiting& waiting) {
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (total > most_gathered) {
    std::string text;
    for (int rank = 0; rank < place.count; ++rank) {
      const std::size_t size = sizes[static_cast<std::size_t>(rank)];
      if (rank == place.rank)
        text = own;
      else
        text.assign(size, '\0');
      broadcast_from(rank, text.data(), size, waiting);
      take(rank, text);
    }
    return;
  }
  std::vector<int> counts(sizes.begin(), sizes.end()), places(sizes.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  std::string all(total, '\0');
  MPI_Request request;
  {
    std::lock_guard lock(mutex);
    MPI_Iallgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, all.data(), counts.data(), places.data(),
                    MPI_BYTE, work, &request);
  }
  complete(request, false, waiting);
  for (int rank = 0; rank < place.count; ++rank) {
    const auto i = static_cast<std::size_t>(rank);
    take(rank, std::string_view(all).substr(static_cast<std::size_t>(places[i]), sizes[i]));
  }
}

void broadcast(std::string& text, const Waiting& waiting) { broadcast_from(0, text.data(), text.size(), waiting); }

bool announce(News::Kind kind, const std::string& text) {
  if (!may_call()) return false;
  // Kept until the process ends, because no rank waits for the delivery of these messages.
  static std::vector<std::unique_ptr<const std::string>> all_kept;
  std::lock_guard lock(mutex);
  const auto& kept = all_kept.emplace_back(std::make_unique<const std::string>(text));
  for (int rank = 0; rank < place.count; ++rank) {
    if (rank == place.rank) continue;
    MPI_Request request;
    MPI_Isend(kept->data(), static_cast<int>(kept->size()), MPI_BYTE, rank, static_cast<int>(kind), talk, &request);
    MPI_Request_free(&request);
  }
  return true;
}

std::optional<News> look() {
  std::lock_guard lock(mutex);
  if (talk == MPI_COMM_NULL || !may_call()) return {};
  int there = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, talk, &there, &status);
  if (!there) return {};
  MPI_Get_count(&status, MPI_BYTE, &size);
  News news{static_cast<News::Kind>(status.MPI_TAG), status.MPI_SOURCE,
            std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(news.text.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, talk, MPI_STATUS_IGNORE);
  return news;
}

void finish(bool torn, int status) {
  std::lock_guard lock(mutex);
  if (torn) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Comm_free(&work);
  MPI_Comm_free(&talk);
  MPI_Finalize();
}

}  // namespace gfdt::message_passing
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

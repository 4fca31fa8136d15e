#include "gfdt/parallel/ranks.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gfdt/base/digest.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/parallel/message_passing.hpp"
#include "gfdt/parallel/parcel.hpp"

namespace gfdt::ranks {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using message_passing::News;

/// Time for which a waiting rank continues after another has failed: that rank may have sent its data before.
constexpr auto grace_in_exchange = 1s;
/// The same after another rank has finished without failure: its data may not have arrived yet.
constexpr auto grace_after_end = 5s;
/// Time for which a failed rank waits for the others to report their end.
constexpr auto grace_at_end = 10s;

message_passing::Place place;
std::atomic<bool> joined{false};
int cores_of_rank = 0, cores_in_reach = 0;
std::atomic<bool> others_wait{false};  // true on the root rank while it alone works
std::atomic<bool> by_itself{false};    // true while this rank executes its part of an exchange
Cancellation own_request, agreed;
Traffic counted;

/// Messages received from other ranks.
struct Heard {
  struct End {
    Outcome outcome;
    bool torn = false;
  };
  std::mutex mutex;
  std::vector<std::optional<End>> ends;
  std::optional<Clock::time_point> failure;    ///< time of the first failure message
  std::optional<Clock::time_point> first_end;  ///< time of the first end message
  bool told_request = false;
  Clock::time_point last_look;
} heard;
bool torn = false;           // this rank left an exchange before it was complete
std::string_view exchanged;  // label of the latest exchange

bool failed(const Outcome& outcome) { return !outcome.sentence.empty(); }

/// Receives pending messages. The caller holds `heard.mutex`.
void take_news() {
  while (const std::optional<News> news = message_passing::look()) {
    if (news->kind == News::Kind::stop) {
      own_request.request();
      heard.told_request = true;  // the others know already
      continue;
    }
    Unpacker from(news->text);
    Heard::End end;
    from.get(end.outcome.status);
    from.get(end.torn);
    from.get(end.outcome.sentence);
    if ((failed(end.outcome) || end.torn) && !heard.failure) heard.failure = Clock::now();
    if (!heard.first_end) heard.first_end = Clock::now();
    heard.ends[static_cast<std::size_t>(news->rank)] = std::move(end);
  }
}

/// The caller holds `heard.mutex`.
void tell_request() {
  if (own_request.requested() && !heard.told_request)
    heard.told_request = message_passing::announce(News::Kind::stop, {});
}

void while_waiting() {
  std::lock_guard lock(heard.mutex);
  take_news();
  tell_request();
  if (heard.failure && Clock::now() - *heard.failure > grace_in_exchange) {
    torn = true;
    throw EndedElsewhere();
  }
  if (heard.first_end && Clock::now() - *heard.first_end > grace_after_end) {
    torn = true;
    const auto ended = std::ranges::find_if(heard.ends, [](const auto& end) { return end.has_value(); });
    throw EndedElsewhere{
        fmt::format("MPI ranks have diverged: rank {} waits for the others at '{}', and rank {} has finished. This is "
                    "a bug in gfdt: "
                    "run the command without MPI, and report it.",
                    place.rank, exchanged, ended - heard.ends.begin())};
  }
}

/// Sent by each rank before its data.
struct Header {
  std::uint64_t size = 0;
  std::uint64_t label = 0;
  std::uint32_t failed = 0;
  std::uint32_t stop = 0;
};

std::string host_name() {
  char host[64] = {};
  return ::gethostname(host, sizeof host - 1) == 0 ? host : "this machine";
}

/// Data of this rank, or the message of the error that prevented it.
struct Part {
  std::string bytes;
  bool failed = false;
};

Part own_part(const std::function<std::string()>& work) {
  struct Inside {
    Inside() {
      by_itself = true;
      if (own_request.requested()) agreed.request();
    }
    ~Inside() { by_itself = false; }
  } inside;
  try {
    return {work(), false};
  } catch (const Error& error) {
    return {error.what(), true};
  } catch (const std::exception& error) {
    return {fmt::format("gfdt: {}", error.what()), true};
  }
}

[[noreturn]] void fail_apart(std::string_view label, const std::vector<Header>& headers) {
  constexpr std::size_t longest = 200;
  std::string padded(label.substr(0, longest));
  padded.resize(longest, '\0');
  const std::string all = message_passing::gather_equal(padded, while_waiting);
  const auto at = [&](std::size_t rank) { return std::string(all.substr(rank * longest, longest).c_str()); };
  std::size_t other = 1;
  while (headers[other].label == headers[0].label) ++other;
  throw Error(
      fmt::format("MPI ranks have diverged: rank 0 is at '{}' and rank {} at '{}'. All of them must have processors of "
                  "one kind, the same compiler and the same files.",
                  at(0), other, at(other)));
}

/// Exchanges the headers of all ranks. Throws on all ranks if one of them has failed or if their labels differ.
std::vector<Header> agree(std::string_view label, const Part& part) {
  const auto begin = Clock::now();
  if (torn) throw EndedElsewhere();
  exchanged = label;
  const Header own{part.bytes.size(), digest(label), part.failed ? 1u : 0u,
                   own_request.requested() || agreed.requested() ? 1u : 0u};
  const std::string all =
      message_passing::gather_equal({reinterpret_cast<const char*>(&own), sizeof own}, while_waiting);
  std::vector<Header> headers(static_cast<std::size_t>(place.count));
  std::memcpy(headers.data(), all.data(), all.size());
  counted.waited += std::chrono::duration<double>(Clock::now() - begin).count();
  ++counted.exchanges;
  counted.sent += sizeof own;
  counted.received += all.size() - sizeof own;
  for (const Header& header : headers) {
    if (header.label != headers[0].label) fail_apart(label, headers);
    if (header.stop != 0) agreed.request();
  }
  const auto first = std::ranges::find_if(headers, [](const Header& header) { return header.failed != 0; });
  if (first == headers.end()) return headers;
  std::vector<std::size_t> sizes(headers.size(), 0);
  const auto rank = static_cast<std::size_t>(first - headers.begin());
  sizes[rank] = first->size;
  std::string sentence;
  message_passing::gather(
      static_cast<int>(rank) == place.rank ? std::string_view(part.bytes) : std::string_view(), sizes,
      [&](int, std::string_view text) { sentence += text; }, while_waiting);
  throw Error(sentence);
}

}  // namespace

int own() { return by_itself ? 0 : place.rank; }
int count() { return by_itself ? 1 : place.count; }

std::pair<std::size_t, std::size_t> share_of(std::size_t blocks, int rank) {
  const auto ranks = static_cast<std::size_t>(place.count), r = static_cast<std::size_t>(rank);
  return {blocks * r / ranks, blocks * (r + 1) / ranks};
}

void exchange(std::string_view label, const std::function<std::string()>& work,
              const std::function<void(int, std::string_view)>& take) {
  if (count() == 1) return take(0, work());
  const Part part = own_part(work);
  const std::vector<Header> headers = agree(label, part);
  const auto begin = Clock::now();
  std::vector<std::size_t> sizes;
  for (const Header& header : headers) {
    sizes.push_back(header.size);
    counted.received += header.size;
  }
  counted.received -= part.bytes.size();
  counted.sent += part.bytes.size();
  double taking = 0;
  message_passing::gather(
      part.bytes, sizes,
      [&](int rank, std::string_view bytes) {
        const auto here = Clock::now();
        take(rank, bytes);
        taking += std::chrono::duration<double>(Clock::now() - here).count();
      },
      while_waiting);
  counted.waited += std::chrono::duration<double>(Clock::now() - begin).count() - taking;
}

std::string broadcast_from_root(std::string_view label, const std::function<std::string()>& say) {
  if (count() == 1) return say();
  others_wait = place.rank == 0;
  Part part = place.rank == 0 ? own_part(say) : Part{};
  others_wait = false;
  const std::size_t size = agree(label, part)[0].size;
  if (place.rank == 0)
    counted.sent += size;
  else
    counted.received += size;
  part.bytes.resize(size);
  message_passing::broadcast(part.bytes, while_waiting);
  return std::move(part.bytes);
}

bool decide_on_root(std::string_view label, const std::function<bool()>& say) {
  return broadcast_from_root(label, [&] { return std::string(say() ? "yes" : ""); }) == "yes";
}

void run_on_root(std::string_view label, const std::function<void()>& work) {
  if (count() == 1) return work();
  broadcast_from_root(label, [&] {
    work();
    return std::string();
  });
}

void request_stop() noexcept {
  own_request.request();
  if (!joined || by_itself) agreed.request();
}

const Cancellation& stopping() { return agreed; }

void poll() {
  if (place.count == 1) return;
  std::unique_lock lock(heard.mutex, std::try_to_lock);
  if (!lock || Clock::now() - heard.last_look < 20ms) return;
  heard.last_look = Clock::now();
  take_news();
  tell_request();
  // A failed rank takes part in no further exchange, so the current work is useless.
  if (by_itself && (own_request.requested() || heard.failure)) agreed.request();
}

bool launched() { return message_passing::launched(); }

int cores() { return others_wait ? cores_in_reach : cores_of_rank; }

void start() {
  place = message_passing::start();
  joined = true;
  heard.ends.resize(static_cast<std::size_t>(place.count));
  cpu_set_t own_set;
  CPU_ZERO(&own_set);
  if (::sched_getaffinity(0, sizeof own_set, &own_set) != 0)
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) CPU_SET(i, &own_set);
  const std::string own_host = host_name();
  std::vector<int> users(CPU_SETSIZE, 0);
  exchange(
      "start",
      [&] {
        Packer packer;
        packer.put(own_set);
        packer.put(own_host);
        return packer.take();
      },
      [&](int, std::string_view bytes) {
        Unpacker unpacker(bytes);
        const auto set = unpacker.get<cpu_set_t>();
        if (unpacker.get<std::string>() != own_host) return;
        for (std::size_t i = 0; i < users.size(); ++i) users[i] += CPU_ISSET(i, &set) ? 1 : 0;
      });
  double share = 0;
  for (std::size_t i = 0; i < users.size(); ++i)
    if (CPU_ISSET(i, &own_set)) share += 1.0 / std::max(1, users[i]);
  constexpr double rounding = 1e-6;
  cores_of_rank = std::max(1, static_cast<int>(share + rounding));
  cores_in_reach = std::max(1, CPU_COUNT(&own_set));
}

int end(Outcome own, const std::function<void(const std::string&)>& print) {
  Packer packer;
  packer.put(own.status);
  packer.put(torn);
  packer.put(own.sentence);
  message_passing::announce(News::Kind::end, packer.take());
  const auto begin = Clock::now();
  const auto missing = [] {
    std::lock_guard lock(heard.mutex);
    take_news();
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < heard.ends.size(); ++rank)
      if (static_cast<int>(rank) != place.rank && !heard.ends[rank]) ++count;
    return count;
  };
  bool in_vain = false;
  while (missing() > 0 && !in_vain) {
    std::this_thread::sleep_for(1ms);
    in_vain = (failed(own) || heard.failure) && Clock::now() - begin > grace_at_end;
  }
  heard.ends[static_cast<std::size_t>(place.rank)] = Heard::End{own, torn};
  bool any_torn = in_vain, all_the_same = true;
  int status = 0, first_there = -1, first_failed = -1;
  for (int rank = 0; rank < place.count; ++rank) {
    const auto& end = heard.ends[static_cast<std::size_t>(rank)];
    if (!end) continue;
    if (first_there < 0) first_there = rank;
    any_torn = any_torn || end->torn;
    status = std::max(status, end->outcome.status);
    if (failed(end->outcome) && first_failed < 0) first_failed = rank;
  }
  if (first_failed >= 0) {
    const Outcome& told = heard.ends[static_cast<std::size_t>(first_failed)]->outcome;
    status = told.status;
    for (const auto& end : heard.ends) all_the_same = all_the_same && end && end->outcome.sentence == told.sentence;
    if (first_there == place.rank)
      print(all_the_same ? told.sentence : fmt::format("At rank {}: {}", first_failed, told.sentence));
  }
  // The rank that prints the message also aborts the others.
  if (any_torn && first_there != place.rank) std::this_thread::sleep_for(3s);
  message_passing::finish(any_torn, status);
  joined = false;
  place = {};
  return status;
}

Traffic traffic() { return counted; }

}  // namespace gfdt::ranks

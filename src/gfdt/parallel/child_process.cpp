#include "gfdt/parallel/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "gfdt/base/error.hpp"
#include "gfdt/parallel/ranks.hpp"

extern char** environ;

namespace gfdt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds longest_nap{20};
constexpr milliseconds grace{1000};

/// Runs "$@" with at most $0 KiB of memory (0: no limit). Descriptor 3 is a pipe that is closed when the parent process
/// ends; descriptor 4 is the standard input of the program. A wait interrupted by a signal is repeated, so that no
/// child process remains unreaped.
constexpr const char* supervisor = R"sh(
trap : TERM
[ "$0" -eq 0 ] || ulimit -v "$0" 2>/dev/null
"$@" 0<&4 3<&- 4<&- &
program=$!
{ read -r nothing <&3; kill -KILL 0; } 4<&- >/dev/null 2>&1 &
watcher=$!
wait "$program"
status=$?
while kill -0 "$program" 2>/dev/null; do
  wait "$program"
  status=$?
done
kill -KILL "$watcher"
wait "$watcher" 2>/dev/null
exit "$status"
)sh";

/// Both ends of a pipe. They are closed on exec, and their numbers do not collide with the descriptors passed to a
/// child.
class Pipe {
 public:
  Pipe() {
    constexpr int above = 10;
    std::array<int, 2> ends{-1, -1};
    bool made = ::pipe2(ends.data(), O_CLOEXEC) == 0;
    for (std::size_t i = 0; i < 2 && made; ++i) made = (ends_[i] = ::fcntl(ends[i], F_DUPFD_CLOEXEC, above)) >= 0;
    const int reason = errno;
    close_all(ends);
    if (made) return;
    close_all(ends_);
    throw Error(fmt::format("A program could not be started: {}.", std::strerror(reason)));
  }
  ~Pipe() { close_all(ends_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() { ::close(std::exchange(ends_[1], -1)); }

 private:
  static void close_all(const std::array<int, 2>& ends) {
    for (int end : ends)
      if (end >= 0) ::close(end);
  }

  std::array<int, 2> ends_{-1, -1};
};

/// Keeps the beginning and the end of a text of unbounded length.
class Excerpt {
 public:
  void add(std::string_view text) {
    const std::size_t first = std::min(text.size(), longest_head - head_.size());
    head_ += text.substr(0, first);
    tail_ += text.substr(first);
    if (tail_.size() <= 2 * longest_tail) return;
    dropped_ += tail_.size() - longest_tail;
    tail_.erase(0, tail_.size() - longest_tail);
  }
  std::string text() const {
    return dropped_ == 0 ? head_ + tail_ : fmt::format("{}\n… {} bytes are left out …\n{}", head_, dropped_, tail_);
  }

 private:
  static constexpr std::size_t longest_head = 1 << 14, longest_tail = 1 << 15;
  std::string head_, tail_;
  std::size_t dropped_ = 0;
};

/// Start parameters of a process: file descriptors, working folder, process group and signals.
class Launch {
 public:
  Launch(const ChildProcess& child, int alive, int words) : child_(child) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, words, 1);
    posix_spawn_file_actions_adddup2(&actions_, words, 2);
    posix_spawn_file_actions_adddup2(&actions_, alive, 3);
    posix_spawn_file_actions_addopen(&actions_, 4, child.input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addchdir_np(&actions_, child.folder.empty() ? "." : child.folder.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Launch() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  pid_t start() const {
    const std::string memory = fmt::format("{}", child_.memory >> 10);
    std::vector<const char*> arguments{"/bin/sh", "-c", supervisor, memory.c_str()};
    for (const std::string& word : child_.command) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failure =
        ::posix_spawn(&child, arguments[0], &actions_, &attributes_, const_cast<char**>(arguments.data()), environ);
    if (failure != 0)
      throw Error(fmt::format("'{}' could not be started in the folder '{}': {}.", child_.command.at(0),
                              child_.folder.string(), std::strerror(failure)));
    return child;
  }

 private:
  const ChildProcess& child_;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Whether a process has ended. The process is not reaped, so that its id cannot be reused.
bool has_ended(pid_t process) {
  siginfo_t information{};
  const int failure = ::waitid(P_PID, static_cast<id_t>(process), &information, WEXITED | WNOHANG | WNOWAIT);
  return failure == 0 ? information.si_pid == process : errno == ECHILD;
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Sends SIGTERM to a process group, and SIGKILL after the grace period. A group id is not reused while a process of
/// the group exists; each iteration checks this.
void end_group(pid_t leader) {
  ::kill(-leader, SIGTERM);
  const auto deadline = Clock::now() + grace;
  bool waited = false;
  while (Clock::now() < deadline) {
    if (!waited && has_ended(leader)) {
      wait_for(leader);
      waited = true;
    }
    if (waited && ::kill(-leader, 0) != 0) return;
    std::this_thread::sleep_for(milliseconds(10));
  }
  ::kill(-leader, SIGKILL);
  if (!waited) wait_for(leader);
}

/// Reads the available output, but a bounded amount per call. Returns false at end of file or on an error.
bool take(int descriptor, Excerpt& words) {
  constexpr int most_pieces = 64;
  std::array<char, 1 << 16> piece;
  for (int pieces = 0; pieces < most_pieces; ++pieces) {
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got > 0) words.add({piece.data(), static_cast<std::size_t>(got)});
    if (got == 0) return false;
    if (got < 0 && errno != EINTR) return errno == EAGAIN;
  }
  return true;
}

}  // namespace

std::string ChildOutcome::words() const {
  constexpr int of_shell = 128;  // shells report a child killed by signal n as status 128 + n
  const auto killed = [](int signal) {
    return fmt::format("it was killed by signal {} ({})", signal, ::strsignal(signal));
  };
  switch (end) {
    case End::exited:
      if (status > of_shell && status < of_shell + 65) return killed(status - of_shell);
      return fmt::format("it ended with status {}", status);
    case End::signalled:
      return killed(status);
    case End::timed_out:
      return "it did not end in time and was killed";
    case End::cancelled:
      return "it was stopped from outside";
  }
  return {};
}

ChildOutcome run_child(const ChildProcess& child, const Cancellation* cancellation) {
  const auto start = Clock::now();
  const Pipe alive;
  Pipe words;
  ::fcntl(words.reading(), F_SETFL, O_NONBLOCK);
  const pid_t leader = Launch(child, alive.reading(), words.writing()).start();
  words.close_writing();
  Excerpt printed;
  bool more = true;
  milliseconds nap{1};
  while (!has_ended(leader)) {
    ranks::poll();
    const bool cancelled = cancellation && cancellation->requested();
    const bool late = std::chrono::duration<double>(Clock::now() - start).count() > child.timeout;
    if (cancelled || late) {
      end_group(leader);
      take(words.reading(), printed);
      return {cancelled ? ChildOutcome::End::cancelled : ChildOutcome::End::timed_out, 0, printed.text()};
    }
    pollfd wanted{more ? words.reading() : -1, POLLIN, 0};
    ::poll(&wanted, 1, static_cast<int>(nap.count()));
    nap = std::min(2 * nap, longest_nap);
    more = more && take(words.reading(), printed);
  }
  ::kill(-leader, SIGKILL);  // background processes that it started
  const int status = wait_for(leader);
  take(words.reading(), printed);
  if (WIFSIGNALED(status)) return {ChildOutcome::End::signalled, WTERMSIG(status), printed.text()};
  return {ChildOutcome::End::exited, WEXITSTATUS(status), printed.text()};
}

}  // namespace gfdt

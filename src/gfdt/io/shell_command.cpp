#include "gfdt/io/shell_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "gfdt/core/error.hpp"
#include "gfdt/core/ranks.hpp"

extern char** environ;

namespace gfdt::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds longest_nap{20};
constexpr milliseconds grace{1000};

/// What a process is started with: files, folder, group and signals.
class Launch {
 public:
  Launch(const fs::path& folder, const fs::path& words) : folder_(folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, words.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, 1, 2);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD}) sigaddset(&usual, signal);
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

  pid_t start(const std::string& command) const {
    const char* arguments[] = {"/bin/sh", "-c", command.c_str(), nullptr};
    pid_t child = 0;
    const int failure =
        ::posix_spawn(&child, arguments[0], &actions_, &attributes_, const_cast<char**>(arguments), environ);
    if (failure != 0)
      throw Error(fmt::format("The command '{}' could not be started in the folder '{}': {}.", command,
                              folder_.string(), std::strerror(failure)));
    return child;
  }

 private:
  fs::path folder_;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Whether a process has ended; it stays to be waited for, so that no other can have its number.
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

/// Asks all of a group to end, and kills what has not done so after the time of grace. The number of a group is not
/// given to another while a process of it is there, which is looked at in every nap.
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

}  // namespace

std::string ShellOutcome::words() const {
  constexpr int of_shell = 128;  // added by a shell to the number of the signal that its child was killed by
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

ShellOutcome run_shell(const std::string& command, const fs::path& folder, const fs::path& words, double timeout,
                       const Cancellation* cancellation) {
  const auto start = Clock::now();
  const pid_t leader = Launch(folder.empty() ? "." : folder, words).start(command);
  for (milliseconds nap{1}; !has_ended(leader); nap = std::min(2 * nap, longest_nap)) {
    ranks::look_around();
    const bool cancelled = cancellation && cancellation->requested();
    const bool late = std::chrono::duration<double>(Clock::now() - start).count() > timeout;
    if (cancelled || late) {
      end_group(leader);
      return {cancelled ? ShellOutcome::End::cancelled : ShellOutcome::End::timed_out, 0};
    }
    std::this_thread::sleep_for(nap);
  }
  ::kill(-leader, SIGKILL);  // what it has left behind
  const int status = wait_for(leader);
  if (WIFSIGNALED(status)) return {ShellOutcome::End::signalled, WTERMSIG(status)};
  return {ShellOutcome::End::exited, WEXITSTATUS(status)};
}

}  // namespace gfdt::io

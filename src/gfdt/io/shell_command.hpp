#pragma once

#include <filesystem>
#include <string>

#include "gfdt/core/progress.hpp"

namespace gfdt::io {

/// How a command ended.
struct ShellOutcome {
  enum class End { exited, signalled, timed_out, cancelled };
  End end = End::exited;
  int status = 0;  ///< of the exit, or the number of the signal

  bool well() const { return end == End::exited && status == 0; }
  /// "it ended with status 3", for people.
  std::string words() const;
};

/// Runs a command by /bin/sh in a folder, in a process group of its own, with nothing to read; what it prints goes to
/// the file `words`. After `timeout` seconds, or when it is cancelled, all of the group is asked to end (SIGTERM) and
/// killed a second later. Nothing of it is left when this returns. Throws Error when it cannot be started.
ShellOutcome run_shell(const std::string& command, const std::filesystem::path& folder,
                       const std::filesystem::path& words, double timeout, const Cancellation* cancellation = nullptr);

}  // namespace gfdt::io

#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"

namespace gfdt {

/// A program to run.
struct ChildProcess {
  std::vector<std::string> command;                          ///< path of the program, followed by its arguments
  std::filesystem::path folder = ".";                        ///< working folder
  std::filesystem::path input = "/dev/null";                 ///< file for standard input
  double timeout = std::numeric_limits<double>::infinity();  ///< limit on the run time in seconds
  std::uint64_t memory = 0;                                  ///< memory limit of each process in bytes; 0: no limit
};

/// Result of a child process.
struct ChildOutcome {
  enum class End { exited, signalled, timed_out, cancelled };
  End end = End::exited;
  int status = 0;       ///< exit status, or number of the signal that killed it
  std::string printed;  ///< standard output and standard error; only the beginning and the end if long

  bool well() const { return end == End::exited && status == 0; }
  /// Description for messages, such as "it ended with status 3".
  std::string words() const;
};

/// Runs a program in a process group of its own. At the time limit or on cancellation, the group receives SIGTERM, and
/// SIGKILL a second later. If this process ends first, even by SIGKILL, the group is killed at once. No process of the
/// group remains when this function returns. Throws Error if the program cannot be started.
ChildOutcome run_child(const ChildProcess& child, const Cancellation* cancellation = nullptr);

}  // namespace gfdt

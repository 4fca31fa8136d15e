#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"

namespace gfdt {

/// A program that is to be run.
struct ChildProcess {
  std::vector<std::string> command;                          ///< the path of the program, and its arguments
  std::filesystem::path folder = ".";                        ///< where it runs
  std::filesystem::path input = "/dev/null";                 ///< what it reads
  double timeout = std::numeric_limits<double>::infinity();  ///< seconds
  std::uint64_t memory = 0;                                  ///< bytes each of its processes may take; 0: any number
};

/// How it ended.
struct ChildOutcome {
  enum class End { exited, signalled, timed_out, cancelled };
  End end = End::exited;
  int status = 0;       ///< of the exit, or the number of the signal
  std::string printed;  ///< of much only the beginning and the end

  bool well() const { return end == End::exited && status == 0; }
  /// "it ended with status 3", for people.
  std::string words() const;
};

/// Runs a program in a process group of its own. After its time, or when it is cancelled, all of the group is asked to
/// end (SIGTERM) and killed a second later; it is killed at once where this process ends before it, even by SIGKILL.
/// Nothing of it is left when this returns. Throws Error when it cannot be started.
ChildOutcome run_child(const ChildProcess& child, const Cancellation* cancellation = nullptr);

}  // namespace gfdt

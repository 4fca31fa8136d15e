#pragma once

#include <functional>
#include <string>

#include "gfdt/parallel/ranks.hpp"

namespace gfdt::app {

/// Runs the command: by itself, or as a rank where a launcher of MPI has started it. Then all ranks must be the same
/// program with the same command line on processors of one kind; the first one talks and writes, and all of them end
/// with the same status, a failure of one of them being that of all.
int on_ranks(const std::string& command_line, const std::function<ranks::Outcome()>& command);

}  // namespace gfdt::app

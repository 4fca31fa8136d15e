#pragma once

#include <functional>
#include <string>

#include "gfdt/parallel/ranks.hpp"

namespace gfdt::app {

/// Runs the command, either as a single process or as a rank of an MPI launcher. All ranks must run the same program
/// with the same command line on processors of the same kind. Only the root rank prints and writes files. All ranks
/// return the same status; a failure of one rank is a failure of all.
int on_ranks(const std::string& command_line, const std::function<ranks::Outcome()>& command);

}  // namespace gfdt::app

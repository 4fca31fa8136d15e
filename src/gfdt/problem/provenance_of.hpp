#pragma once

#include <string>

#include "gfdt/data/provenance.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {

/// Provenance of a computation that starts now on this machine. The number of threads is the one that will be used.
data::Provenance provenance_of(const Problem& problem, const std::string& command_line = "");

}  // namespace gfdt::problem

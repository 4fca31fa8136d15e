#pragma once

#include <string>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// Members a block of the generated code: several vectors for a small model, whose steps wait for one another, and one
/// or two for a lattice, whose sites do not.
int native_lanes(int state_rows);

/// C++ that defines `gfdt_advance`, see native.cpp. `real` is float or double. Names and texts of the user do not
/// appear in it.
std::string step_source(const Routine& routine, const std::string& real, int lanes);

/// C++ that defines `gfdt_evaluate`.
std::string evaluation_source(const Routine& routine, const std::string& real, int lanes);

}  // namespace gfdt::codegen

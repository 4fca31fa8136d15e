#pragma once

#include <string>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// Members per block of the generated code: several vectors for small models, whose operations form a dependency chain;
/// one or two for lattices, whose sites are independent.
int native_lanes(int state_rows);

/// C++ source that defines `gfdt_advance` (see native.cpp). `real` is float or double. Contains no names or text from
/// the user.
std::string step_source(const Routine& routine, const std::string& real, int lanes);

/// C++ source that defines `gfdt_evaluate`.
std::string evaluation_source(const Routine& routine, const std::string& real, int lanes);

}  // namespace gfdt::codegen

#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::codegen {

/// Names of all state variables in the order of the rows: `u1`, `X[3]`, `Y[2,35]`.
std::vector<std::string> component_names(const symbolic::Model& model);

}  // namespace gfdt::codegen

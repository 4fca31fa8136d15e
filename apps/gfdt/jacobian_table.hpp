#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/response/jacobian.hpp"

namespace gfdt::app {

struct NamedJacobian {
  std::string name;
  response::Jacobian jacobian;
};

/// The statistics, then the entries of one Jacobian or several side by side, what they cost and what was found.
void print_jacobians(std::FILE* file, const std::vector<NamedJacobian>& results);

}  // namespace gfdt::app

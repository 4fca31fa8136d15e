#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/jacobian/jacobian.hpp"

namespace gfdt::app {

struct NamedJacobian {
  std::string name;
  jacobian::Jacobian jacobian;
  int correction_degree = 0;  ///< of the polynomials that conjugates were corrected by; 0 without
  bool recorded = false;      ///< from a trajectory, not from runs
};

/// How the columns came about: "gfdt (kgmm)", or "control-variate: d_u, omega; finite-difference: sigma" where they
/// came by several methods.
std::string methods_text(const jacobian::Jacobian& jacobian);

/// The statistics, then the entries of one Jacobian or several side by side, what was found, how they came about and
/// what they cost. What was found of all alike is said once.
void print_jacobians(std::FILE* file, const std::vector<NamedJacobian>& results);

}  // namespace gfdt::app

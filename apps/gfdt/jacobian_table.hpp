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

/// The methods of the columns: "gfdt (kgmm)", or "control-variate: d_u, omega; finite-difference: sigma" if they
/// differ.
std::string methods_text(const jacobian::Jacobian& jacobian);

/// Prints the statistics, the entries of one Jacobian or of several side by side, diagnostics, methods and cost.
/// Diagnostics that all results share are printed once.
void print_jacobians(std::FILE* file, const std::vector<NamedJacobian>& results);

}  // namespace gfdt::app

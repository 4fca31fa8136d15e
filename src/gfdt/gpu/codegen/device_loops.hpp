#pragma once

#include <functional>
#include <string>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// Names of the numbers of one member in the CUDA C++ code of a program's loops. Uniforms are `u.value[i]`.
struct DeviceNames {
  /// Expression for the number in a row of a region; `row` is an expression too.
  std::function<std::string(Region region, const std::string& row)> number;
  std::size_t first_uniform = 0;  ///< index of the program's first uniform in its routine
};

/// Division of a sum over many sites into parts that are computed in parallel: part p has the sites p, p + parts, …
struct SumParts {
  int parts = 1;
  int first_row = 0;  ///< first row in Region::scratch: [accumulation][outer site][part]
};

/// Number of sites that are distributed to threads: those of all indices, except the one over which a sum runs.
int dealt_sites(const Loop& loop);

/// Code in which one thread processes all sites.
std::string whole_loop(const Program& program, const Loop& loop, const DeviceNames& names);

/// Code in which the sites are distributed to threads; this is thread `worker` of `workers`. Each thread computes the
/// sums of its own sites.
std::string dealt_loop(const Program& program, const Loop& loop, const DeviceNames& names);

/// Code for sums in parts, which are distributed together with the sites, and for the totals after a barrier.
std::string sums_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts);
std::string totals_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts);

}  // namespace gfdt::codegen

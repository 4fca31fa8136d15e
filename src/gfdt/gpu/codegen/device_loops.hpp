#pragma once

#include <functional>
#include <string>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// What the CUDA C++ of a program's loops calls its numbers, for one member. Uniforms are `u.value[i]`.
struct DeviceNames {
  /// The number in a row of a region; `row` is an expression.
  std::function<std::string(Region region, const std::string& row)> number;
  std::size_t first_uniform = 0;  ///< of the program, among those of its routine
};

/// A sum over many sites, taken in parts that run side by side: part p has the sites p, p + parts, …
struct SumParts {
  int parts = 1;
  int first_row = 0;  ///< of Region::scratch: [accumulation][outer site][part]
};

/// Sites of the indices that are dealt out: all of them, but for the one that a sum runs over.
int dealt_sites(const Loop& loop);

/// All sites by one thread.
std::string whole_loop(const Program& program, const Loop& loop, const DeviceNames& names);

/// Sites dealt out to threads, of which this is number `worker` of `workers`. Each takes the sums of its sites alone.
std::string dealt_loop(const Program& program, const Loop& loop, const DeviceNames& names);

/// Sums in parts, which are dealt out together with the sites; then the totals, after a barrier.
std::string sums_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts);
std::string totals_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts);

}  // namespace gfdt::codegen

#pragma once

#include <cstddef>
#include <string>

#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"

namespace gfdt::codegen {

/// A group of threads that takes the steps of a few members, side by side. All their rows lie in the memory that the
/// group shares, [row][member]; threads with the same member are its workers.
struct GroupShape {
  int members = 1;  ///< divides device_lanes
  int threads = 1;  ///< a multiple of the members
};

/// Bytes of a group's memory that one member takes.
std::size_t member_bytes(const Routine& routine, std::size_t number_bytes);

/// A good shape for a run of `members` on a device of so many multiprocessors. Results do not depend on it.
GroupShape group_shape(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes, int members,
                       int multiprocessors);

/// The source of the same kernel as device_step_source's, for routines of many rows: a loop over sites is dealt out to
/// the workers, with barriers where one waits for another. Sums are taken in an order that the routine alone decides.
std::string group_step_source(const Routine& routine, const DeviceModel& model, const std::string& real,
                              const GroupShape& shape);

}  // namespace gfdt::codegen

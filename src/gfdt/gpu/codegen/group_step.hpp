#pragma once

#include <cstddef>
#include <string>

#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"

namespace gfdt::codegen {

/// A group of threads that advances a few members in parallel. All rows are stored in the shared memory of the group,
/// [row][member]. The threads of one member are its workers.
struct GroupShape {
  int members = 1;  ///< members per group; divides device_lanes
  int threads = 1;  ///< threads per group; a multiple of the members
};

/// Bytes of shared memory per member.
std::size_t member_bytes(const Routine& routine, std::size_t number_bytes);

/// A suitable shape for a run of `members` members on a device with this number of multiprocessors. Results do not
/// depend on it.
GroupShape group_shape(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes, int members,
                       int multiprocessors);

/// Source of the same kernel as `device_step_source` for routines with many rows: sites are distributed to the workers,
/// with barriers between dependent loops. The order of summation depends only on the routine.
std::string group_step_source(const Routine& routine, const DeviceModel& model, const std::string& real,
                              const GroupShape& shape);

}  // namespace gfdt::codegen

#pragma once

#include <cstddef>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// How a routine is written for a device.
enum class DeviceForm {
  unrolled,  ///< straight-line code, one thread a member (unrolled.hpp)
  loops,  ///< loops over sites: a step by a group of threads (group_step.hpp), an evaluation by one (device_loops.hpp)
  none,   ///< too large: the host does it
};

/// Of a step with numbers of `number_bytes`, on a device whose groups of threads share `group_bytes`.
DeviceForm step_form(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes);

/// Of an evaluation.
DeviceForm evaluation_form(const Routine& routine);

}  // namespace gfdt::codegen

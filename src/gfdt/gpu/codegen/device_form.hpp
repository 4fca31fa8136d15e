#pragma once

#include <cstddef>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// Form of the device code of a routine.
enum class DeviceForm {
  unrolled,  ///< straight-line code, one thread per member (unrolled.hpp)
  loops,     ///< loops over sites: steps by a thread group (group_step.hpp), evaluations by one thread
  none,      ///< too large for a device: computed on the host
};

/// Form of a step with numbers of `number_bytes` bytes, on a device whose thread groups share `group_bytes` bytes.
DeviceForm step_form(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes);

/// Form of an evaluation.
DeviceForm evaluation_form(const Routine& routine);

}  // namespace gfdt::codegen

#pragma once

#include <string>
#include <vector>

#include "gfdt/codegen/interpreter/bytecode.hpp"
#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/gpu/codegen/device_span.hpp"

namespace gfdt::codegen {

/// Members per block on a device. The rows of a block are stored as on the CPU, [row][lane], so that host back ends can
/// evaluate them.
inline constexpr int device_lanes = interpreter_lanes;

using gfdt_device::DeviceSpan;

/// Properties of a model that the kernel of a step needs besides the formulas.
struct DeviceModel {
  std::vector<int> sites;       ///< number of sites of each field of the state
  bool ends_with_time = false;  ///< the last row is the time
};

/// Hardware functions, which precede any device code. Separate, because a host compiler accepts only the remaining
/// code.
std::string device_intrinsics();

/// Source of the kernel
///   gfdt_advance(Uniforms u, DeviceSpan span, Real* state, Real* scale, unsigned* unsound, unsigned* lost_members,
///                const unsigned* streams, Real* record)
/// in unrolled form, with one thread per member. It takes steps, checks the stability of the members
/// (simulate/stability_guard.hpp) and, after the burn-in, appends the state to the record of its block every `cadence`
/// steps. Layouts are state: [block][row][lane]; scale: [block][field][lane]; unsound, streams: [block][lane].
/// `lost_members` counts the unstable members.
std::string device_step_source(const Routine& routine, const DeviceModel& model, const std::string& real);

/// Opening of a source that takes steps: `device_opening` and `DeviceSpan`.
std::string device_step_opening(const Routine& routine, const std::string& real);

/// Opening of any device source: functions, random numbers, `Real` and `Uniforms`.
std::string device_opening(const Routine& routine, const std::string& real);

/// An opening, the constants `state_rows` and `quantities`, and `evaluate(u, from, value)`, which computes the values
/// of an evaluation from the rows starting at `from` (of either precision) and stores them in value[0], value[1], … The
/// routine must have a device form (device_form.hpp).
std::string device_evaluation_source(const Routine& routine, const std::string& real);

/// Number of uniforms of all stages.
int uniform_count(const Routine& routine);

}  // namespace gfdt::codegen

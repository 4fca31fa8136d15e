#pragma once

#include <string>
#include <vector>

#include "gfdt/codegen/interpreter/bytecode.hpp"
#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/gpu/codegen/device_span.hpp"

namespace gfdt::codegen {

/// Members a block on a device. Rows of a block lie as on the CPU, [row][lane], and any back end of the host can
/// evaluate them.
inline constexpr int device_lanes = interpreter_lanes;

using gfdt_device::DeviceSpan;

/// What the kernel of a step needs to know of the model besides its formulas.
struct DeviceModel {
  std::vector<int> sites;       ///< of each field of the state
  bool ends_with_time = false;  ///< the last row is the time
};

/// What stands before any device code: the hardware's own functions. Kept apart, for a host compiler takes the rest.
std::string device_intrinsics();

/// The source of
///   gfdt_advance(Uniforms u, DeviceSpan span, Real* state, Real* scale, unsigned* unsound, unsigned* lost_members,
///                const unsigned* streams, Real* record)
/// one thread a member, of unrolled code: takes steps, looks whether members are sound (simulate/stability_guard.hpp),
/// and appends the state to its block's record after every `cadence` steps past the burn-in. state: [block][row][lane];
/// scale: [block][field][lane]; unsound, streams: [block][lane]; lost_members: how many are unsound.
std::string device_step_source(const Routine& routine, const DeviceModel& model, const std::string& real);

/// The opening of a source that takes steps: the one below, and `DeviceSpan`.
std::string device_step_opening(const Routine& routine, const std::string& real);

/// The opening of any source of device code: functions and random numbers, `Real` and `Uniforms`.
std::string device_opening(const Routine& routine, const std::string& real);

/// An opening, then `evaluate(u, from, value)`: the values of an evaluation from the rows, of either precision,
/// that begin at `from`, to value[0], value[1], …; and the numbers `state_rows` and `quantities`. In the form that
/// suits its size: it has one (device_form.hpp).
std::string device_evaluation_source(const Routine& routine, const std::string& real);

/// The uniforms of all stages, one after the other.
int uniform_count(const Routine& routine);

}  // namespace gfdt::codegen

#include "gfdt/gpu/codegen/device_form.hpp"

#include "gfdt/codegen/program/unrolled.hpp"
#include "gfdt/gpu/codegen/group_step.hpp"

namespace gfdt::codegen {
namespace {

/// Number of statements that compile in a few seconds, and number of state rows that fit into registers.
constexpr long most_statements = 6000;
constexpr int most_rows = 100;
/// Largest number of sums over sites per thread in an evaluation: a device reserves this memory for all of its threads.
constexpr int most_sums = 512;

long statements(const Routine& routine) {
  long count = 0;
  for (const Program& stage : routine.stages) count += stage.instructions();
  return count;
}

}  // namespace

DeviceForm step_form(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes) {
  if (routine.state_rows <= most_rows && unrolled_size(routine) <= most_statements) return DeviceForm::unrolled;
  const bool small = statements(routine) <= most_statements && member_bytes(routine, number_bytes) <= group_bytes;
  return small ? DeviceForm::loops : DeviceForm::none;
}

DeviceForm evaluation_form(const Routine& routine) {
  if (routine.state_rows + unrolled_size(routine) <= most_statements) return DeviceForm::unrolled;
  const bool small = statements(routine) <= most_statements && routine.scratch_rows <= most_sums;
  return small ? DeviceForm::loops : DeviceForm::none;
}

}  // namespace gfdt::codegen

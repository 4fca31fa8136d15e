#include "gfdt/gpu/simulate/device_step.hpp"

#include <algorithm>

#include "gfdt/gpu/codegen/device_form.hpp"
#include "gfdt/gpu/codegen/group_step.hpp"
#include "gfdt/simulate/scheme.hpp"

namespace gfdt::simulate {
namespace {

/// Threads per group, and the fewest per group; small runs use smaller groups to occupy all multiprocessors.
constexpr unsigned threads_a_group = 128, threads_a_warp = 32;

std::size_t number_bytes(const Options& options) {
  return options.precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

codegen::DeviceForm form_of(const codegen::Routine& routine, const Options& options, const gpu::Device& device) {
  return codegen::step_form(routine, number_bytes(options), device.group_bytes());
}

codegen::DeviceModel device_model(const symbolic::Model& model) {
  codegen::DeviceModel result;
  for (const symbolic::Field& state : model.states) result.sites.push_back(state.sites());
  result.ends_with_time = model.time_state.has_value();
  return result;
}

}  // namespace

bool fits_device(const symbolic::Model& model, const Options& options, const gpu::Device& device) {
  return form_of(codegen::lower(step_plan(model, options.scheme)), options, device) != codegen::DeviceForm::none;
}

DeviceStep::DeviceStep(const symbolic::Model& model, const codegen::Routine& routine, const Options& options,
                       const gpu::Device& device)
    : device_(device) {
  device.use();
  const std::string real = options.precision == Precision::single_precision ? "float" : "double";
  if (form_of(routine, options, device) == codegen::DeviceForm::unrolled) {
    kernel_ = gpu::Kernel(
        device, codegen::device_intrinsics() + codegen::device_step_source(routine, device_model(model), real),
        "gfdt_advance");
    return;
  }
  const std::size_t bytes = number_bytes(options);
  const codegen::GroupShape shape =
      codegen::group_shape(routine, bytes, device.group_bytes(), options.members, device.multiprocessors());
  group_members_ = static_cast<unsigned>(shape.members);
  group_threads_ = static_cast<unsigned>(shape.threads);
  kernel_ = gpu::Kernel(
      device, codegen::device_intrinsics() + codegen::group_step_source(routine, device_model(model), real, shape),
      "gfdt_advance");
  kernel_.set_group_memory(group_members_ * codegen::member_bytes(routine, bytes));
}

DeviceStep::Groups DeviceStep::groups_for(unsigned threads) const {
  if (group_members_ > 0) return {threads / group_members_, group_threads_};
  const unsigned share = threads / static_cast<unsigned>(device_.multiprocessors());
  const unsigned group = std::clamp(share / threads_a_warp * threads_a_warp, threads_a_warp, threads_a_group);
  return {(threads + group - 1) / group, group};
}

}  // namespace gfdt::simulate

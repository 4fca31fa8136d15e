#include "gfdt/gpu/network/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/gpu/driver/compiler.hpp"

namespace gfdt::gpu {

Placement::Placement(const Device& device, const network::Architecture& architecture, int samples, unsigned groups)
    : device_(device),
      program_(program_of(architecture)),
      samples_(static_cast<unsigned>(samples)),
      groups_(groups),
      operations_(device, program_.operations.size() * sizeof(Operation)),
      benches_(device, std::size_t{groups} * samples_ * program_.size * sizeof(float)),
      parameters_(device, program_.parameters * sizeof(float)) {
  device.upload(std::span<const Operation>(program_.operations), operations_.address());
  device.clear(parameters_);
}

unsigned Placement::groups_for(std::size_t samples) const {
  return static_cast<unsigned>(std::clamp<std::size_t>((samples + samples_ - 1) / samples_, 1, groups_));
}

void Placement::set_parameters(std::span<const float> parameters) {
  std::vector<float> all(program_.parameters);
  program_.to_device(parameters, all);
  device_.upload(std::span<const float>(all), parameters_.address());
}

std::vector<float> Placement::parameters() const {
  std::vector<float> all(program_.parameters);
  device_.download(parameters_.address(), std::span(all));
  std::vector<float> result(program_.host_parameters());
  program_.to_host(all, result);
  return result;
}

KernelNetwork Placement::network() const {
  return {.operations = operations_.address(),
          .benches = benches_.address(),
          .parameters = parameters_.address(),
          .clocks = 0,
          .count = static_cast<unsigned>(program_.operations.size()),
          .bench_size = program_.size,
          .companions = program_.companions,
          .capacity = samples_,
          .inputs = program_.inputs,
          .outputs = program_.outputs,
          .output = program_.output,
          .targets = program_.targets,
          .weights = program_.weights,
          .parameter_count = program_.parameters};
}

std::string missing_for(const network::Architecture& architecture) {
  std::string missing;
  const Device* const device = Device::find(&missing);
  if (!device) return missing;
  constexpr int oldest = 80;  // first capability with tensor cores for single precision
  if (device->capability() < oldest)
    return fmt::format("The {} is too old for networks; it has compute capability {}.{} and {}.{} is needed.",
                       device->name(), device->capability() / 10, device->capability() % 10, oldest / 10, oldest % 10);
  if (missing = gpu::compiler_missing(); !missing.empty()) return missing;
  if (program_of(architecture).best_samples(1, 1, device->group_bytes()) == 0)
    return fmt::format("A ring of {} sites with so many channels does not fit into a GPU's shared memory.",
                       architecture.sites);
  return {};
}

}  // namespace gfdt::gpu

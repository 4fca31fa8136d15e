#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/gpu/codegen/device_form.hpp"

namespace gfdt::statistics {

/// Quantities of the state that a device evaluates.
struct DevicePlan {
  codegen::Routine routine;
  std::map<std::string, double> symbols;

  /// Whether there are quantities to evaluate, and few enough for a device.
  bool fits_device() const {
    return !routine.stages.empty() && codegen::evaluation_form(routine) != codegen::DeviceForm::none;
  }
};

/// Uniforms of a plan, as passed to kernels.
template <class T>
std::vector<std::byte> uniform_bytes(const DevicePlan& plan) {
  std::vector<T> values = codegen::all_uniforms<T>(plan.routine, plan.symbols);
  if (values.empty()) values.push_back(0);
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace gfdt::statistics

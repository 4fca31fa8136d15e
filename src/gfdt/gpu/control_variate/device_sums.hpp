#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "gfdt/control_variate/fit/ridge_fit.hpp"
#include "gfdt/control_variate/fit/targets.hpp"
#include "gfdt/gpu/control_variate/device_dictionary.hpp"

namespace gfdt::control_variate {

/// Sums over parts of the samples, computed on a device: samples and quantities of targets are uploaded, sums are
/// downloaded. The order of summation is fixed.
class DeviceSums {
 public:
  /// Returns null if there is no device, not enough memory, or if formulas are too long. `products`: whether Σf fᵀ is
  /// needed. `most_groups`: largest number of groups per part.
  static std::unique_ptr<DeviceSums> make(const score::Samples& samples, const DictionaryValues& values,
                                          const Targets& targets, bool products, std::size_t most_groups);

  /// Sums over a part of the samples, and means of its groups. `bounds`: index of the first sample of each group, and
  /// the end. Thread-safe; concurrent calls use the device in turn.
  void sum(std::span<const std::size_t> bounds, FunctionMoments& functions, TargetMoments& targets,
           std::span<std::vector<double>> function_means, std::span<std::vector<double>> target_means);

 private:
  struct Given;
  DeviceSums(const gpu::Device& device, const score::Samples& samples, const DictionaryValues& values,
             const Targets& targets, bool products, std::size_t most_groups, unsigned room);
  Given given_to(std::size_t first, std::size_t end) const;
  void add(const SampleSpan& span, std::size_t first_block, const Given& given);
  void add_groups(std::span<const std::size_t> bounds, std::size_t first, std::size_t end);
  std::vector<double> numbers(const gpu::Memory& memory, std::size_t count) const;

  const gpu::Device& device_;
  const score::Samples& samples_;
  const Targets& targets_;
  std::size_t parameters_, functions_, columns_, first_column_;
  unsigned room_;
  DeviceDictionary dictionary_;
  gpu::Kernel targets_kernel_, combine_, group_sums_kernel_, products_kernel_, total_;
  gpu::Memory states_, given_, values_, changed_, coefficients_, quantity_of_, sums_, segments_, group_sums_;
  std::mutex mutex_;
};

}  // namespace gfdt::control_variate

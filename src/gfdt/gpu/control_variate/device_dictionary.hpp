#pragma once

#include <string>

#include "gfdt/control_variate/dictionary/dictionary_values.hpp"
#include "gfdt/gpu/driver/device.hpp"

namespace gfdt::control_variate {

/// Samples of a batch, as passed to kernels (dictionary_kernels.cuh).
struct SampleSpan {
  unsigned samples, room;
};

inline constexpr unsigned threads_a_group = 128;
inline unsigned groups_for(std::size_t threads) {
  return static_cast<unsigned>((threads + threads_a_group - 1) / threads_a_group);
}

/// Whether the unrolled formulas of a dictionary are short enough for a device.
bool fits_device(const DictionaryLayout& layout);

/// Evaluates the functions of a dictionary on a device, for batches of up to `room` samples. Results agree with
/// DictionaryValues up to rounding.
class DeviceDictionary {
 public:
  /// `changes`: whether the operators of parameters will be applied.
  DeviceDictionary(const gpu::Device& device, const DictionaryValues& values, const std::string& more_source,
                   unsigned room, bool changes);

  static std::size_t bytes_per_sample(const DictionaryLayout& layout);

  /// Source of all kernels: those of the dictionary, then `more_source`.
  const std::string& source() const { return source_; }

  /// Evaluates formulas and profiles of states given as blocks of [component][lane]. The functions below use these
  /// states.
  void load(const SampleSpan& span, gpu::Address states);
  /// Destination of function values, with strides in numbers.
  struct Rows {
    gpu::Address values;
    unsigned long long sample_stride, function_stride;
  };
  /// Computes L φ for all functions φ, where L is the generator.
  void generate(const SampleSpan& span, const Rows& to);
  /// Applies the operator of a parameter to all functions. Returns false, and writes nothing, if the result is zero.
  bool change(const SampleSpan& span, std::size_t parameter, const Rows& to);

 private:
  void apply(const SampleSpan& span, const gpu::Memory& products, const Rows& to);

  int sites_;
  std::size_t functions_, coordinates_;
  std::string source_;
  std::vector<std::byte> uniforms_;
  gpu::Kernel rows_kernel_, profiles_kernel_, apply_kernel_;
  gpu::Memory coordinate_places_, profile_shapes_, generator_;
  std::vector<gpu::Memory> changes_;  ///< empty if the operator maps all functions to zero
  gpu::Memory rows_, profiles_;
};

}  // namespace gfdt::control_variate

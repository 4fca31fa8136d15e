#pragma once

#include <string>

#include "gfdt/control_variate/dictionary/dictionary_values.hpp"
#include "gfdt/gpu/driver/device.hpp"

namespace gfdt::control_variate {

/// Samples of a batch, as kernels take them (dictionary_kernels.cuh).
struct SampleSpan {
  unsigned samples, room;
};

inline constexpr unsigned threads_a_group = 128;
inline unsigned groups_for(std::size_t threads) {
  return static_cast<unsigned>((threads + threads_a_group - 1) / threads_a_group);
}

/// Whether the formulas of a dictionary are few enough to be written out for a device.
bool fits_device(const DictionaryLayout& layout);

/// The functions of a dictionary on a device, for batches of up to `room` samples: the numbers of DictionaryValues to
/// rounding.
class DeviceDictionary {
 public:
  /// `changes`: whether operators of parameters will be applied.
  DeviceDictionary(const gpu::Device& device, const DictionaryValues& values, const std::string& more_source,
                   unsigned room, bool changes);

  static std::size_t bytes_per_sample(const DictionaryLayout& layout);

  /// The source of all kernels, with `more` after those of a dictionary.
  const std::string& source() const { return source_; }

  /// states: blocks of [component][lane]. What follows is of these.
  void load(const SampleSpan& span, gpu::Address states);
  /// Where values of functions go.
  struct Rows {
    gpu::Address values;
    unsigned long long sample_stride, function_stride;
  };
  /// L φ of all functions.
  void generate(const SampleSpan& span, const Rows& to);
  /// What the operator of a parameter makes of them. False, and nothing is written, where that is zero.
  bool change(const SampleSpan& span, std::size_t parameter, const Rows& to);

 private:
  void apply(const SampleSpan& span, const gpu::Memory& products, const Rows& to);

  int sites_;
  std::size_t functions_, coordinates_;
  std::string source_;
  std::vector<std::byte> uniforms_;
  gpu::Kernel rows_kernel_, profiles_kernel_, apply_kernel_;
  gpu::Memory coordinate_places_, profile_shapes_, generator_;
  std::vector<gpu::Memory> changes_;  ///< empty where a change makes zero of all functions
  gpu::Memory rows_, profiles_;
};

}  // namespace gfdt::control_variate

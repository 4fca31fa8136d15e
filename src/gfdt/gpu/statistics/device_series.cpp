#include "gfdt/gpu/statistics/device_series.hpp"

#include <algorithm>
#include <span>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/statistics/series_span.hpp"
#include "gfdt/parallel/threads.hpp"

namespace gfdt::statistics {

/// Text of the kernel.
extern const char* const series_kernel_text;

namespace {

constexpr auto lanes_per_block = static_cast<std::size_t>(codegen::device_lanes);
/// Bytes of sums copied to the host at a time.
constexpr std::size_t bytes_at_a_time = std::size_t{1} << 23;
static_assert(parts_per_member == gfdt_device::series_parts);

using gfdt_device::SeriesSpan;

}  // namespace

DeviceSeries::DeviceSeries(const gpu::Device& device, const DevicePlan& plan, simulate::Precision precision,
                           std::size_t blocks, std::uint64_t samples)
    : device_(device),
      shape_(1, 1, samples),
      blocks_(blocks),
      slots_(3 + parts_per_member + 3 * shape_.levels()),
      numbers_per_block_(slots_ * static_cast<std::size_t>(plan.routine.output_rows) * lanes_per_block) {
  const bool single = precision == simulate::Precision::single_precision;
  uniforms_ = single ? uniform_bytes<float>(plan) : uniform_bytes<double>(plan);
  kernel_ =
      gpu::Kernel(device,
                  codegen::device_intrinsics() +
                      codegen::device_evaluation_source(plan.routine, simulate::name(precision)) + series_kernel_text,
                  "gfdt_series");
  sums_ = gpu::Memory(device, blocks * numbers_per_block_ * sizeof(double));
  device.clear(sums_);
}

void DeviceSeries::add(const simulate::DeviceRecord& record) {
  const SeriesSpan span{.stride = record.stride,
                        .first_sample = record.first_sample,
                        .samples = record.samples,
                        .group = shape_.group(),
                        .groups = shape_.groups(),
                        .blocks = static_cast<unsigned>(blocks_),
                        .levels = static_cast<unsigned>(shape_.levels()),
                        .slots = static_cast<unsigned>(slots_)};
  kernel_.launch_for(blocks_ * lanes_per_block, std::span<const std::byte>(uniforms_), span, record.data,
                     sums_.address());
  seen_ = record.first_sample + record.samples;
}

void DeviceSeries::read(int threads, const std::function<void(std::size_t, std::span<const double>)>& take) const {
  const std::size_t at_once =
      std::clamp<std::size_t>(bytes_at_a_time / (numbers_per_block_ * sizeof(double)), 1, blocks_);
  std::vector<double> numbers(at_once * numbers_per_block_);
  for (std::size_t first = 0; first < blocks_; first += at_once) {
    const std::size_t count = std::min(at_once, blocks_ - first);
    device_.download(sums_.address() + first * numbers_per_block_ * sizeof(double),
                     std::span(numbers).first(count * numbers_per_block_));
    for_each_block(count, threads, [&](std::size_t b) {
      take(first + b, std::span<const double>(numbers).subspan(b * numbers_per_block_, numbers_per_block_));
    });
  }
}

}  // namespace gfdt::statistics

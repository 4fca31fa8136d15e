#include "gfdt/statistics/device_series.hpp"

#include <algorithm>
#include <span>

#include "gfdt/kernel/device_form.hpp"
#include "gfdt/kernel/device_source.hpp"
#include "gfdt/statistics/series_span.hpp"

namespace gfdt::statistics {

/// The kernel, as text.
extern const char* const series_kernel_text;

namespace {

constexpr auto lanes_a_block = static_cast<std::size_t>(kernel::device_lanes);
constexpr unsigned threads_a_group = 128;

using gfdt_device::SeriesSpan;

}  // namespace

bool DevicePlan::on_device() const {
  return !routine.stages.empty() && kernel::evaluation_form(routine) != kernel::DeviceForm::none;
}

DeviceSeries::DeviceSeries(const cuda::Device& device, const DevicePlan& plan, simulate::Precision precision,
                           std::size_t blocks, std::uint64_t samples)
    : device_(device),
      shape_(1, 1, samples),
      quantities_(static_cast<std::size_t>(plan.routine.output_rows)),
      blocks_(blocks),
      slots_(3 + segments + 3 * shape_.levels()) {
  const bool single = precision == simulate::Precision::single_precision;
  uniforms_ = single ? uniform_bytes<float>(plan) : uniform_bytes<double>(plan);
  kernel_ =
      cuda::Kernel(device,
                   kernel::device_intrinsics() +
                       kernel::device_evaluation_source(plan.routine, single ? "float" : "double") + series_kernel_text,
                   "gfdt_series");
  sums_ = cuda::Memory(device, slots_ * quantities_ * blocks_ * lanes_a_block * sizeof(double));
  device.clear(sums_);
}

void DeviceSeries::add(const simulate::DeviceRecord& record) {
  const SeriesSpan span{.stride = record.stride,
                        .first_sample = record.first_sample,
                        .samples = record.samples,
                        .group = shape_.group(),
                        .groups = shape_.groups(),
                        .blocks = static_cast<unsigned>(blocks_),
                        .levels = static_cast<unsigned>(shape_.levels())};
  const unsigned threads = static_cast<unsigned>(blocks_ * lanes_a_block);
  kernel_.launch((threads + threads_a_group - 1) / threads_a_group, threads_a_group,
                 std::span<const std::byte>(uniforms_), span, record.data, sums_.address());
  seen_ = record.first_sample + record.samples;
}

DeviceSeries::Numbers DeviceSeries::download() const {
  Numbers result{std::vector<double>(sums_.bytes() / sizeof(double)), quantities_, blocks_ * lanes_a_block, seen_};
  device_.download(sums_.address(), std::span(result.values));
  return result;
}

void DeviceSeries::Numbers::give(std::size_t block, SeriesSums& sums) const {
  sums.take(seen, [&](std::size_t slot, std::size_t quantity) {
    return values.data() + (slot * quantities + quantity) * threads + block * lanes_a_block;
  });
}

}  // namespace gfdt::statistics

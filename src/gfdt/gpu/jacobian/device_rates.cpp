#include "gfdt/gpu/jacobian/device_rates.hpp"

#include <fmt/format.h>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/jacobian/rate_span.hpp"

namespace gfdt::jacobian {

/// Text of the kernel.
extern const char* const rates_kernel_text;

namespace {

constexpr auto lanes = static_cast<std::size_t>(codegen::device_lanes);

using gfdt_device::RateSpan;

}  // namespace

DeviceRates::DeviceRates(const gpu::Device& device, const Shape& shape, Sinks sinks, Joining join)
    : device_(device), shape_(shape), sinks_(std::move(sinks)), join_(std::move(join)) {
  const bool single = shape.precision == simulate::Precision::single_precision;
  number_bytes_ = single ? sizeof(float) : sizeof(double);
  kernel_ = gpu::Kernel(device, fmt::format("typedef {} Real;\n", single ? "float" : "double") + rates_kernel_text,
                        "gfdt_rates");
  waiting_ = gpu::Memory(device, shape.blocks * static_cast<std::size_t>(shape.rows) * lanes * number_bytes_);
}

void DeviceRates::consume(const simulate::DeviceRecord& record) {
  const std::size_t sample = static_cast<std::size_t>(shape_.rows) * lanes;
  const std::uint64_t stride = record.stride + sample;
  if (shown_.bytes() == 0) shown_ = gpu::Memory(device_, shape_.blocks * stride * number_bytes_);
  const bool held = record.first_sample > 0, last = record.first_sample + record.samples == shape_.samples;
  const RateSpan span{.from_stride = record.stride,
                      .to_stride = stride,
                      .samples = record.samples,
                      .inverse_interval = 1 / shape_.interval,
                      .blocks = static_cast<unsigned>(shape_.blocks),
                      .rows = static_cast<unsigned>(shape_.rows),
                      .own_rows = static_cast<unsigned>(shape_.own_rows),
                      .held = held ? 1u : 0u,
                      .last = last ? 1u : 0u};
  kernel_.launch_for(shape_.blocks * sample, span, record.data, waiting_.address(), shown_.address());
  const std::uint64_t shown = record.samples - (held ? 0 : 1) + (last ? 1 : 0);
  for (const auto& sink : sinks_)
    if (shown > 0) sink->consume({shown_.address(), record.first_sample - (held ? 1 : 0), shown, stride});
}

std::vector<std::unique_ptr<simulate::BlockSink>> DeviceRates::finish() {
  std::vector<std::vector<std::unique_ptr<simulate::BlockSink>>> seen(shape_.blocks);
  for (const auto& sink : sinks_) {
    auto blocks = sink->finish();
    for (std::size_t b = 0; b < blocks.size(); ++b) seen[b].push_back(std::move(blocks[b]));
  }
  std::vector<std::unique_ptr<simulate::BlockSink>> result;
  for (auto& block : seen) result.push_back(join_(std::move(block)));
  return result;
}

}  // namespace gfdt::jacobian

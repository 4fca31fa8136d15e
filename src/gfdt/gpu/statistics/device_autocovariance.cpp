#include "gfdt/gpu/statistics/device_autocovariance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/statistics/autocovariance_span.hpp"
#include "gfdt/parallel/threads.hpp"

namespace gfdt::statistics {

/// Text of the kernels.
extern const char* const autocovariance_kernels_text;

namespace {

constexpr auto lanes_per_block = static_cast<std::size_t>(codegen::device_lanes);
constexpr int most_sites = 512;
constexpr std::size_t most_lags = 1024;
/// 1/share_for_values of the free memory is used for values.
constexpr std::size_t share_for_values = 4;

}  // namespace

bool DeviceAutocovariance::suits(const DevicePlan& plan, std::size_t lags) {
  return plan.fits_device() && plan.routine.output_rows <= most_sites && lags <= most_lags;
}

DeviceAutocovariance::DeviceAutocovariance(const gpu::Device& device, const DevicePlan& plan,
                                           simulate::Precision precision, std::size_t blocks, std::uint64_t samples,
                                           std::size_t lags, std::size_t room)
    : device_(device),
      sites_(static_cast<std::size_t>(plan.routine.output_rows)),
      blocks_(blocks),
      threads_(blocks * lanes_per_block),
      lags_(lags),
      uniforms_(uniform_bytes<double>(plan)) {
  assert(lags >= 1);
  const std::string source = codegen::device_intrinsics() + codegen::device_evaluation_source(plan.routine, "double") +
                             fmt::format("typedef {} From;\n", simulate::name(precision)) + autocovariance_kernels_text;
  find_reference_ = gpu::Kernel(device, source, "gfdt_reference");
  evaluate_ = gpu::Kernel(device, source, "gfdt_field");
  multiply_ = gpu::Kernel(device, source, "gfdt_lagged");
  keep_ = gpu::Kernel(device, source, "gfdt_keep");
  const std::size_t row = threads_ * sizeof(double), sample = (sites_ + 1) * row;
  room = std::min(room, device.free_bytes() / share_for_values);
  most_samples_ = std::clamp<std::uint64_t>(room / sample, 1, std::max<std::uint64_t>(samples, 1));
  values_ = gpu::Memory(device, (lags - 1 + most_samples_) * sample);
  reference_ = gpu::Memory(device, row);
  products_ = gpu::Memory(device, lags * row);
  total_ = gpu::Memory(device, row);
  first_ = gpu::Memory(device, lags * row);
  for (const gpu::Memory* memory : {&values_, &products_, &total_, &first_}) device.clear(*memory);
}

void DeviceAutocovariance::add(const simulate::DeviceRecord& record) {
  const std::span<const std::byte> uniforms(uniforms_);
  for (std::uint64_t from = 0; from < record.samples; from += most_samples_) {
    const gfdt_device::AutocovarianceSpan span{.stride = record.stride,
                                               .from = from,
                                               .samples = std::min<std::uint64_t>(record.samples - from, most_samples_),
                                               .seen = record.first_sample + from,
                                               .threads = static_cast<unsigned>(threads_),
                                               .lags = static_cast<unsigned>(lags_)};
    if (span.seen == 0)
      find_reference_.launch_for(threads_, uniforms, span, record.data, values_.address(), reference_.address());
    evaluate_.launch_for(span.samples * threads_, uniforms, span, record.data, reference_.address(), values_.address());
    multiply_.launch_for(lags_ * threads_, span, values_.address(), products_.address());
    keep_.launch_for((sites_ + 1) * threads_, span, values_.address(), total_.address(), first_.address());
  }
  seen_ = record.first_sample + record.samples;
}

std::vector<double> DeviceAutocovariance::numbers(gpu::Address from, std::size_t count) const {
  std::vector<double> result(count);
  device_.download(from, std::span(result));
  return result;
}

std::vector<std::vector<LaggedSums>> DeviceAutocovariance::sums(int threads) const {
  const std::size_t reach = std::min<std::uint64_t>(lags_, seen_);
  const std::vector<double> reference = numbers(reference_.address(), threads_),
                            products = numbers(products_.address(), lags_ * threads_),
                            total = numbers(total_.address(), threads_),
                            first = numbers(first_.address(), lags_ * threads_);
  std::vector<std::vector<double>> last;  // sums over sites of the last samples, in reverse order
  for (std::size_t n = 0; n + 1 < reach; ++n) {
    const std::size_t row = (lags_ - 2 - n) * (sites_ + 1) + sites_;
    last.push_back(numbers(values_.address() + row * threads_ * sizeof(double), threads_));
  }
  std::vector<std::vector<LaggedSums>> result(blocks_);
  for_each_block(blocks_, threads, [&](std::size_t block) {
    for (std::size_t thread = block * lanes_per_block; thread < (block + 1) * lanes_per_block; ++thread) {
      LaggedSums& own = result[block].emplace_back(1, 1, lags_);
      own.later_reference[0] = own.earlier_reference[0] = reference[thread];
      // The sums at a lag omit the first samples of the later values and the last samples of the earlier ones.
      double later = total[thread], earlier = total[thread];
      for (std::size_t lag = 0; lag < reach; ++lag) {
        own.count[lag] = static_cast<double>(sites_ * (seen_ - lag));
        own.product[lag] = products[lag * threads_ + thread];
        own.later[lag] = later;
        own.earlier[lag] = earlier;
        if (lag + 1 == reach) break;
        later -= first[lag * threads_ + thread];
        earlier -= last[lag][thread];
      }
    }
  });
  return result;
}

}  // namespace gfdt::statistics

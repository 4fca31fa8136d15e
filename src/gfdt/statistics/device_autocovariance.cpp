#include "gfdt/statistics/device_autocovariance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gfdt/kernel/device_source.hpp"
#include "gfdt/statistics/autocovariance_span.hpp"

namespace gfdt::statistics {

/// The kernels, as text.
extern const char* const autocovariance_kernels_text;

namespace {

/// Bytes of values that are made before they are multiplied.
constexpr std::size_t value_bytes = std::size_t{1} << 28;
constexpr unsigned threads_a_group = 128;

unsigned groups_for(std::size_t threads) {
  return static_cast<unsigned>((threads + threads_a_group - 1) / threads_a_group);
}

}  // namespace

DeviceAutocovariance::DeviceAutocovariance(const cuda::Device& device, const DevicePlan& plan,
                                           simulate::Precision precision, std::size_t blocks, std::size_t lags)
    : device_(device),
      sites_(static_cast<std::size_t>(plan.routine.output_rows)),
      threads_(blocks * static_cast<std::size_t>(kernel::device_lanes)),
      lags_(lags),
      uniforms_(uniform_bytes<double>(plan)) {
  const bool single = precision == simulate::Precision::single_precision;
  const std::string source = kernel::device_intrinsics() + kernel::device_evaluation_source(plan.routine, "double") +
                             fmt::format("typedef {} From;\n", single ? "float" : "double") +
                             autocovariance_kernels_text;
  field_ = cuda::Kernel(device, source, "gfdt_field");
  multiply_ = cuda::Kernel(device, source, "gfdt_lagged");
  keep_ = cuda::Kernel(device, source, "gfdt_keep");
  const std::size_t sample = threads_ * (sites_ + 1) * sizeof(double);
  most_samples_ = std::max<std::size_t>(1, value_bytes / sample);
  values_ = cuda::Memory(device, (lags - 1 + most_samples_) * sample);
  products_ = cuda::Memory(device, lags * threads_ * sizeof(double));
  total_ = cuda::Memory(device, threads_ * sizeof(double));
  first_ = cuda::Memory(device, lags * threads_ * sizeof(double));
  for (const cuda::Memory* memory : {&values_, &products_, &total_, &first_}) device.clear(*memory);
}

void DeviceAutocovariance::add(const simulate::DeviceRecord& record) {
  for (std::uint64_t from = 0; from < record.samples;) {
    const std::uint64_t samples = std::min<std::uint64_t>(record.samples - from, most_samples_);
    const gfdt_device::AutocovarianceSpan span{.stride = record.stride,
                                               .samples = samples,
                                               .from = from,
                                               .seen = seen_,
                                               .threads = static_cast<unsigned>(threads_),
                                               .lags = static_cast<unsigned>(lags_)};
    field_.launch(groups_for(samples * threads_), threads_a_group, std::span<const std::byte>(uniforms_), span,
                  record.data, values_.address());
    multiply_.launch(groups_for(lags_ * threads_), threads_a_group, span, values_.address(), products_.address());
    keep_.launch(groups_for((sites_ + 1) * threads_), threads_a_group, span, values_.address(), total_.address(),
                 first_.address());
    from += samples;
    seen_ += samples;
  }
}

std::vector<double> DeviceAutocovariance::numbers(cuda::Address from, std::size_t count) const {
  std::vector<double> result(count);
  device_.download(from, std::span(result));
  return result;
}

std::vector<LaggedSums> DeviceAutocovariance::sums() const {
  const std::size_t reach = std::min<std::uint64_t>(lags_, seen_);
  const std::vector<double> products = numbers(products_.address(), lags_ * threads_),
                            total = numbers(total_.address(), threads_),
                            first = numbers(first_.address(), lags_ * threads_);
  std::vector<LaggedSums> result(threads_, LaggedSums(1, 1, lags_));
  std::vector<double> later = total, earlier = total;  // what the times of a lag leave of them
  for (std::size_t lag = 0; lag < reach; ++lag) {
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      LaggedSums& own = result[thread];
      own.count[lag] = static_cast<double>(sites_ * (seen_ - lag));
      own.product[lag] = products[lag * threads_ + thread];
      own.later[lag] = later[thread];
      own.earlier[lag] = earlier[thread];
    }
    if (lag + 1 == reach) break;
    // The samples that came last are the first of the values, in their order.
    const std::size_t place = (lags_ - 2 - lag) * (sites_ + 1) + sites_;
    const std::vector<double> last = numbers(values_.address() + place * threads_ * sizeof(double), threads_);
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      later[thread] -= first[lag * threads_ + thread];
      earlier[thread] -= last[thread];
    }
  }
  return result;
}

}  // namespace gfdt::statistics

#include "gfdt/gpu/jacobian/device_response.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/jacobian/lag_span.hpp"

namespace gfdt::jacobian {

/// Text of the kernels.
extern const char* const response_kernels_text;

namespace {

/// Bytes of signals that are computed before they are multiplied.
constexpr std::size_t signal_bytes = std::size_t{1} << 28;

using gfdt_device::LagSpan;

std::string source(const DeviceSignals& signals, const SignalShape& shape) {
  return codegen::device_intrinsics() + codegen::device_evaluation_source(signals.later.routine, "double") +
         fmt::format("typedef {} From;\nconstexpr unsigned products_rows = {}, columns = {};\n",
                     simulate::name(signals.precision), shape.later, shape.earlier) +
         response_kernels_text;
}

}  // namespace

DeviceResponse::DeviceResponse(const gpu::Device& device, const DeviceSignals& signals, const SignalShape& shape,
                               const LagBins& bins, const Segments& segments, std::size_t blocks)
    : device_(device),
      shape_(shape),
      bins_(bins),
      segments_(segments),
      threads_(blocks * static_cast<std::size_t>(shape.lanes)),
      uniforms_(statistics::uniform_bytes<double>(signals.later)) {
  const std::string text = source(signals, shape);
  signals_ = gpu::Kernel(device, text, "gfdt_signals");
  sum_bins_ = gpu::Kernel(device, text, "gfdt_bins");
  multiply_ = gpu::Kernel(device, text, "gfdt_products");
  square_ = gpu::Kernel(device, text, "gfdt_squares");
  move_on_ = gpu::Kernel(device, text, "gfdt_move_on");
  const std::size_t later = static_cast<std::size_t>(shape.later_rows()),
                    earlier = static_cast<std::size_t>(shape.earlier), bin = static_cast<std::size_t>(bins.samples),
                    reach = bins.nodes() - 1;
  const std::size_t room = signal_bytes / (threads_ * (later + earlier) * sizeof(double));
  most_samples_ = std::max(bin, std::min<std::size_t>(room, segments.samples + bin) / bin * bin);
  const auto rows = [&](std::size_t count) { return gpu::Memory(device, count * threads_ * sizeof(double)); };
  later_ = rows((most_samples_ + bin) * later);
  earlier_ = rows((most_samples_ + bin) * earlier);
  later_bins_ = rows((reach + most_samples_ / bin + 1) * later);
  earlier_bins_ = rows((reach + most_samples_ / bin + 1) * earlier);
  products_ = rows(bins.nodes() * static_cast<std::size_t>(shape.later) * earlier);
  squares_ = rows(bins.nodes() * later);
  later_sum_ = rows(later);
  earlier_sum_ = rows(earlier);
  enter();
}

void DeviceResponse::enter() {
  const std::uint64_t begin = segments_.begin(segment_), bin = static_cast<std::uint64_t>(bins_.samples);
  segment_end_ = segment_ + 1 < segments_.per_member ? segments_.begin(segment_ + 1) : segments_.samples;
  bins_end_ = begin + (segment_end_ - begin) / bin * bin;
  closed_ = 0;
  pending_ = 0;
  for (const auto* memory : {&later_bins_, &earlier_bins_, &products_, &squares_, &later_sum_, &earlier_sum_})
    device_.clear(*memory);
}

void DeviceResponse::add(const simulate::DeviceRecord& record) {
  for (std::uint64_t s = 0; s < record.samples;) {
    const std::uint64_t sample = record.first_sample + s;
    if (sample >= segment_end_) {
      close_segment();
      ++segment_;
      enter();
    }
    const std::uint64_t count = std::min<std::uint64_t>({record.samples - s, most_samples_, segment_end_ - sample});
    const std::uint64_t whole = std::min(count, bins_end_ - std::min(sample, bins_end_));
    if (whole > 0) add_samples(record, s, whole);
    s += count;
  }
}

void DeviceResponse::add_samples(const simulate::DeviceRecord& record, std::uint64_t from, std::uint64_t samples) {
  const unsigned bin = static_cast<unsigned>(bins_.samples), reach = static_cast<unsigned>(bins_.nodes() - 1);
  const unsigned later = static_cast<unsigned>(shape_.later_rows()), earlier = static_cast<unsigned>(shape_.earlier);
  const LagSpan span{.stride = record.stride,
                     .samples = samples,
                     .from = static_cast<unsigned>(from),
                     .pending = pending_,
                     .threads = static_cast<unsigned>(threads_),
                     .bin = bin,
                     .bins = static_cast<unsigned>((pending_ + samples) / bin),
                     .reach = reach};
  const auto launch = [&](const gpu::Kernel& kernel, std::size_t work, const auto&... arguments) {
    kernel.launch_for(work * threads_, arguments...);
  };
  launch(signals_, samples, std::span<const std::byte>(uniforms_), span, record.data, later_.address(),
         earlier_.address());
  launch(sum_bins_, span.bins * later, span, later, later_.address(), later_bins_.address());
  launch(sum_bins_, span.bins * earlier, span, earlier, earlier_.address(), earlier_bins_.address());
  if (span.bins > 0) {
    launch(multiply_, (reach + 1) * static_cast<std::size_t>(shape_.later), span, later_.address(), earlier_.address(),
           later_bins_.address(), earlier_bins_.address(), products_.address());
    launch(square_, (reach + 1) * static_cast<std::size_t>(later), span, later_bins_.address(), squares_.address());
  }
  launch(move_on_, later, span, later, later_.address(), later_bins_.address(), later_sum_.address());
  launch(move_on_, earlier, span, earlier, earlier_.address(), earlier_bins_.address(), earlier_sum_.address());
  closed_ += span.bins;
  pending_ = static_cast<unsigned>(pending_ + samples - std::uint64_t{span.bins} * bin);
}

std::vector<double> DeviceResponse::numbers(const gpu::Memory& memory) const {
  std::vector<double> result(memory.bytes() / sizeof(double));
  device_.download(memory.address(), std::span(result));
  return result;
}

void DeviceResponse::close_segment() {
  const std::vector<double> products = numbers(products_), squares = numbers(squares_), later = numbers(later_sum_),
                            earlier = numbers(earlier_sum_);
  std::vector<LagSums>& sums = finished_.emplace_back(threads_);
  const auto of_thread = [this](const std::vector<double>& rows, std::size_t thread) {
    std::vector<double> result(rows.size() / threads_);
    for (std::size_t row = 0; row < result.size(); ++row) result[row] = rows[row * threads_ + thread];
    return result;
  };
  for (std::size_t thread = 0; thread < threads_; ++thread)
    sums[thread] = {1,
                    closed_,
                    of_thread(products, thread),
                    of_thread(squares, thread),
                    of_thread(later, thread),
                    of_thread(earlier, thread),
                    {}};
}

std::vector<std::vector<LagSums>> DeviceResponse::finish() {
  close_segment();
  return std::move(finished_);
}

}  // namespace gfdt::jacobian

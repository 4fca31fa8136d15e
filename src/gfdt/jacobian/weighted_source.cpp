#include "gfdt/jacobian/weighted_source.hpp"

#include <algorithm>
#include <tuple>

#include "gfdt/gpu/jacobian/device_rates.hpp"

namespace gfdt::jacobian {
namespace {

using simulate::Block;
using simulate::BlockSink;
using simulate::Record;
using simulate::Sink;

/// Passes on each sample once the next one is available.
class RatesOfBlock : public simulate::BlockSinkOf<RatesOfBlock> {
 public:
  RatesOfBlock(int own_rows, std::uint64_t samples, double interval, std::vector<std::unique_ptr<BlockSink>> sinks)
      : shown_to(std::move(sinks)),
        own_rows_(static_cast<std::size_t>(own_rows)),
        samples_(samples),
        interval_(interval) {}

  template <class T>
  void take(const Record<T>& record) {
    auto& buffer = std::get<codegen::AlignedArray<T>>(buffers_);
    const std::size_t lanes = static_cast<std::size_t>(record.lanes), own = own_rows_ * lanes,
                      size = static_cast<std::size_t>(record.rows) * lanes;
    if (buffer.size() < (record.samples + 1) * size) {
      codegen::AlignedArray<T> larger((record.samples + 1) * size);
      if (held_) std::copy_n(buffer.data(), size, larger.data());
      buffer = std::move(larger);
    }
    const std::uint64_t held = held_ ? 1 : 0, all = held + record.samples;
    std::copy_n(record.data, record.samples * size, buffer.data() + held * size);
    const bool last = record.first_sample + record.samples == samples_;
    for (std::uint64_t s = 0; s + 1 < all; ++s) {
      T* const weights = buffer.data() + s * size + own;
      for (std::size_t i = 0; i < size - own; ++i)
        weights[i] = (weights[size + i] - weights[i]) * static_cast<T>(1 / interval_);
    }
    if (last) std::fill_n(buffer.data() + (all - 1) * size + own, size - own, T(0));
    const Record<T> shown{buffer.data(), record.first_sample - held, last ? all : all - 1, record.rows, record.lanes};
    if (shown.samples > 0)
      for (const auto& sink : shown_to) sink->consume(shown);
    held_ = !last;
    if (held_ && all > 1) std::copy_n(buffer.data() + (all - 1) * size, size, buffer.data());
  }

  void pack(Packer& packer) override {
    for (const auto& sink : shown_to) sink->pack(packer);
  }
  void unpack(Unpacker& unpacker) override {
    for (const auto& sink : shown_to) sink->unpack(unpacker);
  }

  std::vector<std::unique_ptr<BlockSink>> shown_to;

 private:
  std::size_t own_rows_;
  std::uint64_t samples_;
  double interval_;
  bool held_ = false;  ///< whether a sample is held at the beginning of the buffer
  std::tuple<codegen::AlignedArray<float>, codegen::AlignedArray<double>> buffers_;
};

class Rates : public Sink {
 public:
  Rates(const symbolic::Model& weighted, const simulate::Options& options, std::span<Sink* const> sinks)
      : rows_(weighted.dimension()), own_rows_(weighted.own_dimension()), options_(options), sinks_(sinks) {}

  std::unique_ptr<BlockSink> open(const Block& block) override {
    std::vector<std::unique_ptr<BlockSink>> opened;
    for (Sink* const sink : sinks_) opened.push_back(sink->open(block));
    return std::make_unique<RatesOfBlock>(own_rows_, options_.samples(), options_.sample_interval(), std::move(opened));
  }

  std::unique_ptr<simulate::DeviceSink> open_on_device(const gpu::Device& device, std::span<const Block> blocks,
                                                       simulate::Precision precision) override {
    std::vector<std::unique_ptr<simulate::DeviceSink>> opened;
    for (Sink* const sink : sinks_) {
      opened.push_back(sink->open_on_device(device, blocks, precision));
      if (!opened.back()) return nullptr;
    }
    return std::make_unique<DeviceRates>(
        device,
        DeviceRates::Shape{blocks.size(), rows_, own_rows_, options_.samples(), options_.sample_interval(), precision},
        std::move(opened), [this](std::vector<std::unique_ptr<BlockSink>> shown) -> std::unique_ptr<BlockSink> {
          return std::make_unique<RatesOfBlock>(own_rows_, options_.samples(), options_.sample_interval(),
                                                std::move(shown));
        });
  }

  void close(const Block& block, std::unique_ptr<BlockSink> sink, const std::vector<bool>& sound) override {
    auto& opened = static_cast<RatesOfBlock&>(*sink).shown_to;
    for (std::size_t i = 0; i < sinks_.size(); ++i) sinks_[i]->close(block, std::move(opened[i]), sound);
  }

  bool travels() const override {
    return std::ranges::all_of(sinks_, [](const Sink* sink) { return sink->travels(); });
  }

 private:
  int rows_, own_rows_;
  const simulate::Options& options_;
  std::span<Sink* const> sinks_;
};

}  // namespace

simulate::Summary WeightedSource::run(std::span<Sink* const> sinks, const simulate::Control& control) const {
  Rates rates(model_, options(), sinks);
  Sink* const shown[] = {&rates};
  return simulate::run(model_, options(), shown, control);
}

}  // namespace gfdt::jacobian

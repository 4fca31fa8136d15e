#include "gfdt/jacobian/correlation/response_sink.hpp"

#include <algorithm>
#include <optional>

#include "gfdt/gpu/codegen/device_form.hpp"
#include "gfdt/gpu/jacobian/device_response.hpp"
#include "gfdt/jacobian/correlation/lag_spectra.hpp"
#include "gfdt/jacobian/remainder/moment_sums.hpp"

namespace gfdt::jacobian {
namespace {

/// Largest number of groups of sums at thousands of lags.
constexpr std::size_t most_large_groups = 32;

}  // namespace

class ResponseSink::Block : public simulate::BlockSink {
 public:
  /// Sums of each segment, [segment][lane].
  virtual std::vector<std::vector<LagSums>> finish() = 0;

  void pack(Packer& packer) override {
    const std::vector<std::vector<LagSums>> sums = finish();
    packer.put(sums.size());
    for (const auto& segment : sums)
      for (const LagSums& lane : segment) lane.pack(packer);
  }
};

template <class Products>
class ResponseSink::BlockOf final : public Block {
 public:
  BlockOf(const Signals& signals, const LagBins& bins, const Segments& segments, const simulate::Block& block)
      : signals_(signals),
        segments_(segments),
        batch_(signals.batch()),
        samples_per_bin_(static_cast<std::uint64_t>(bins.samples)),
        members_(block.members.begin(), block.members.end()),
        memory_(signals.memory()),
        products_(signals.shape(), bins),
        record_(batch_ * static_cast<std::size_t>(signals.state_rows() * signals.shape().lanes)),
        later_(batch_ * static_cast<std::size_t>(signals.shape().later_rows() * signals.shape().lanes)),
        earlier_(batch_ * static_cast<std::size_t>(signals.shape().earlier * signals.shape().lanes)) {
    if (const Basis* basis = signals.basis()) {
      moments_.emplace(signals);
      dynamics_ = codegen::AlignedArray<double>(
          batch_ * static_cast<std::size_t>(basis->dynamics_rows() * signals.shape().lanes));
    }
    enter();
  }

  void consume(const simulate::Record<float>& record) override { take(record); }
  void consume(const simulate::Record<double>& record) override { take(record); }

  std::vector<std::vector<LagSums>> finish() override {
    if (!unpacked_) close_segment();
    return std::move(finished_);
  }

  void unpack(Unpacker& unpacker) override {
    unpacked_ = true;
    finished_.assign(unpacker.get<std::size_t>(), std::vector<LagSums>(members_.size()));
    for (auto& segment : finished_)
      for (LagSums& lane : segment) lane.unpack(unpacker);
  }

 private:
  template <class T>
  void take(const simulate::Record<T>& record) {
    const std::size_t size = static_cast<std::size_t>(record.rows * record.lanes);
    for (std::uint64_t s = 0; s < record.samples;) {
      const std::uint64_t sample = record.first_sample + s;
      if (sample >= segment_end_) leave();
      const std::uint64_t count = std::min({record.samples - s, batch_, segment_end_ - sample});
      const std::uint64_t whole = std::min(count, bins_end_ - std::min(sample, bins_end_));
      if (whole > 0) {
        const double* states = as_doubles(record.data + s * size, whole * size);
        signals_.evaluate(states, sample, whole, later_.data(), earlier_.data(), dynamics_.data(), *memory_);
        products_.add(later_.data(), earlier_.data(), whole);
        if (moments_) moments_->add(earlier_.data(), dynamics_.data(), sample, whole);
      }
      s += count;
    }
  }

  const double* as_doubles(const double* values, std::size_t) { return values; }
  const double* as_doubles(const float* values, std::size_t count) {
    std::copy_n(values, count, record_.data());
    return record_.data();
  }

  void enter() {
    const std::uint64_t begin = segments_.begin(segment_);
    segment_end_ = segment_ + 1 < segments_.per_member ? segments_.begin(segment_ + 1) : segments_.samples;
    bins_end_ = begin + (segment_end_ - begin) / samples_per_bin_ * samples_per_bin_;
    std::vector<int> halves(static_cast<std::size_t>(signals_.shape().lanes));
    for (std::size_t lane = 0; lane < halves.size(); ++lane)
      halves[lane] = segments_.half(segments_.unit(members_[std::min(lane, members_.size() - 1)], segment_));
    signals_.enter(halves, *memory_);
  }

  void close_segment() {
    std::vector<LagSums>& sums = finished_.emplace_back(products_.finish());
    sums.resize(members_.size());
    if (!moments_) return;
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane].moments = moments_->lane(lane);
    moments_->clear();
  }

  void leave() {
    close_segment();
    ++segment_;
    enter();
  }

  const Signals& signals_;
  Segments segments_;
  std::uint64_t batch_;  ///< samples per evaluation of the signals
  std::uint64_t samples_per_bin_;
  std::vector<std::size_t> members_;
  std::shared_ptr<Signals::Memory> memory_;
  Products products_;
  std::optional<MomentSums> moments_;
  codegen::AlignedArray<double> record_, later_, earlier_, dynamics_;
  std::size_t segment_ = 0;
  std::uint64_t segment_end_ = 0, bins_end_ = 0;
  std::vector<std::vector<LagSums>> finished_;
  bool unpacked_ = false;  ///< whether the sums come from another rank
};

/// Sums that were computed on a device.
class ResponseSink::Done final : public Block {
 public:
  explicit Done(std::vector<std::vector<LagSums>> sums) : sums_(std::move(sums)) {}
  void consume(const simulate::Record<float>&) override {}
  void consume(const simulate::Record<double>&) override {}
  std::vector<std::vector<LagSums>> finish() override { return std::move(sums_); }

 private:
  std::vector<std::vector<LagSums>> sums_;
};

class ResponseSink::OnDevice : public simulate::DeviceSink {
 public:
  OnDevice(const ResponseSink& sink, const gpu::Device& device, std::span<const simulate::Block> blocks,
           simulate::Precision precision)
      : blocks_(blocks),
        sums_(device, {*sink.signals_.on_device(), precision}, sink.signals_.shape(), sink.bins_, sink.segments_,
              blocks.size()) {}

  void consume(const simulate::DeviceRecord& record) override { sums_.add(record); }

  std::vector<std::unique_ptr<simulate::BlockSink>> finish() override {
    std::vector<std::vector<LagSums>> all = sums_.finish();
    std::vector<std::unique_ptr<simulate::BlockSink>> result;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      std::vector<std::vector<LagSums>> own;
      for (std::vector<LagSums>& segment : all) {
        const auto first = segment.begin() + static_cast<std::ptrdiff_t>(b) * blocks_[b].lanes;
        const auto end = first + static_cast<std::ptrdiff_t>(blocks_[b].members.size());
        own.emplace_back(std::make_move_iterator(first), std::make_move_iterator(end));
      }
      result.push_back(std::make_unique<Done>(std::move(own)));
    }
    return result;
  }

 private:
  std::span<const simulate::Block> blocks_;
  DeviceResponse sums_;
};

ResponseSink::ResponseSink(const Signals& signals, const LagBins& bins, const Segments& segments,
                           Multiplication multiplication)
    : signals_(signals),
      bins_(bins),
      segments_(segments),
      multiplication_(multiplication),
      groups_(multiplication == Multiplication::direct ? segments.groups()
                                                       : std::min(segments.groups(), most_large_groups)) {}

std::unique_ptr<simulate::BlockSink> ResponseSink::open(const simulate::Block& block) {
  if (multiplication_ == Multiplication::direct)
    return std::make_unique<BlockOf<LagProducts>>(signals_, bins_, segments_, block);
  return std::make_unique<BlockOf<LagSpectra>>(signals_, bins_, segments_, block);
}

std::unique_ptr<simulate::DeviceSink> ResponseSink::open_on_device(const gpu::Device& device,
                                                                   std::span<const simulate::Block> blocks,
                                                                   simulate::Precision precision) {
  if (multiplication_ != Multiplication::direct || !signals_.on_device()) return nullptr;
  if (codegen::evaluation_form(signals_.on_device()->routine) == codegen::DeviceForm::none) return nullptr;
  return std::make_unique<OnDevice>(*this, device, blocks, precision);
}

void ResponseSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                         const std::vector<bool>& sound) {
  const auto segments = static_cast<Block&>(*sink).finish();
  for (std::size_t lane = 0; lane < block.members.size(); ++lane)
    for (std::size_t t = 0; sound[lane] && t < segments.size(); ++t)
      groups_[segments_.unit(block.members[lane], t) * groups_.size() / segments_.count()].add(segments[t][lane]);
}

}  // namespace gfdt::jacobian

#include "gfdt/statistics/series/field_autocovariance.hpp"

#include <optional>
#include <tuple>

#include "gfdt/gpu/statistics/device_autocovariance.hpp"
#include "gfdt/statistics/series/lagged_products.hpp"

namespace gfdt::statistics {

class FieldAutocovariance::Block : public simulate::BlockSinkOf<Block> {
 public:
  Block(const FieldAutocovariance& owner, int sites, int lanes)
      : owner_(owner), lanes_(static_cast<std::size_t>(lanes)) {
    for (int site = 0; site < sites; ++site) products_.emplace_back(1, 1, lanes, owner.lags_);
  }

  template <class T>
  void take(const simulate::Record<T>& record) {
    const codegen::Evaluator<T>& evaluator = evaluator_of(T{});
    auto& values = std::get<codegen::AlignedArray<T>>(values_);
    auto& scratch = std::get<codegen::AlignedArray<T>>(scratch_);
    const std::size_t sample = products_.size() * lanes_;
    if (values.size() < record.samples * sample) values = codegen::AlignedArray<T>(record.samples * sample);
    if (scratch.size() < evaluator.scratch_size()) scratch = codegen::AlignedArray<T>(evaluator.scratch_size());
    evaluator.evaluate(record.data, record.samples, values.data(), scratch.data());
    for (std::size_t site = 0; site < products_.size(); ++site) {
      const T* first = values.data() + site * lanes_;
      products_[site].add(first, first, record.samples, sample, sample);
    }
  }

  /// The sums of each lane, over all sites.
  std::vector<LaggedSums> finish() {
    if (seen_elsewhere_) return *std::move(seen_elsewhere_);
    std::vector<LaggedSums> sums(lanes_);
    for (LaggedProducts& products : products_) {
      const std::vector<LaggedSums> site = products.finish();
      for (std::size_t lane = 0; lane < lanes_; ++lane) sums[lane] += site[lane];
    }
    return sums;
  }

  void pack(Packer& packer) override {
    for (const LaggedSums& lane : finish()) lane.pack(packer);
  }
  void unpack(Unpacker& unpacker) override {
    for (LaggedSums& lane : seen_elsewhere_.emplace(lanes_)) lane.unpack(unpacker);
  }
  void take_over(std::vector<LaggedSums> lanes) { seen_elsewhere_ = std::move(lanes); }

 private:
  const codegen::Evaluator<float>& evaluator_of(float) const { return *owner_.single_precision_; }
  const codegen::Evaluator<double>& evaluator_of(double) const { return *owner_.double_precision_; }

  const FieldAutocovariance& owner_;
  std::size_t lanes_;
  std::vector<LaggedProducts> products_;                   ///< one per site
  std::optional<std::vector<LaggedSums>> seen_elsewhere_;  ///< sums from another rank or a device, instead of products_
  std::tuple<codegen::AlignedArray<float>, codegen::AlignedArray<double>> values_, scratch_;
};

class FieldAutocovariance::OnDevice : public simulate::DeviceSink {
 public:
  OnDevice(const FieldAutocovariance& owner, const gpu::Device& device, std::span<const simulate::Block> blocks,
           simulate::Precision precision)
      : owner_(owner),
        blocks_(blocks),
        sums_(device, owner.device_plan_, precision, blocks.size(), owner.options_.samples(),
              static_cast<std::size_t>(owner.lags_)) {}

  void consume(const simulate::DeviceRecord& record) override { sums_.add(record); }

  std::vector<std::unique_ptr<simulate::BlockSink>> finish() override {
    std::vector<std::vector<LaggedSums>> sums = sums_.sums(owner_.options_.thread_count());
    std::vector<std::unique_ptr<simulate::BlockSink>> result;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      auto seen = std::make_unique<Block>(owner_, 0, blocks_[b].lanes);
      seen->take_over(std::move(sums[b]));
      result.push_back(std::move(seen));
    }
    return result;
  }

 private:
  const FieldAutocovariance& owner_;
  std::span<const simulate::Block> blocks_;
  DeviceAutocovariance sums_;
};

FieldAutocovariance::FieldAutocovariance(const symbolic::Model& model, const symbolic::Field& sites,
                                         const symbolic::Expression& formula, const simulate::Options& options,
                                         int lags)
    : options_(options), lags_(lags), members_(static_cast<std::size_t>(options.members)) {
  const codegen::EvaluationPlan plan{
      model.indices, model.states, {{{"autocovariance." + sites.name, sites.indices}, formula}}};
  const codegen::Backend backend = codegen::choose_backend(options.backend).backend;
  if (backend == codegen::Backend::cuda) device_plan_ = {codegen::lower(plan), model.parameter_values()};
  const int lanes = codegen::block_lanes(backend, model.dimension());
  if (options.precision == simulate::Precision::single_precision)
    single_precision_ = codegen::make_evaluator<float>(plan, model.parameter_values(), backend, lanes);
  else
    double_precision_ = codegen::make_evaluator<double>(plan, model.parameter_values(), backend, lanes);
}

FieldAutocovariance::~FieldAutocovariance() = default;

std::unique_ptr<simulate::BlockSink> FieldAutocovariance::open(const simulate::Block& block) {
  const int sites = single_precision_ ? single_precision_->outputs() : double_precision_->outputs();
  return std::make_unique<Block>(*this, sites, block.lanes);
}

std::unique_ptr<simulate::DeviceSink> FieldAutocovariance::open_on_device(const gpu::Device& device,
                                                                          std::span<const simulate::Block> blocks,
                                                                          simulate::Precision precision) {
  if (!DeviceAutocovariance::suits(device_plan_, static_cast<std::size_t>(lags_))) return nullptr;
  return std::make_unique<OnDevice>(*this, device, blocks, precision);
}

void FieldAutocovariance::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                                const std::vector<bool>& sound) {
  std::vector<LaggedSums> sums = static_cast<Block&>(*sink).finish();
  for (std::size_t lane = 0; lane < block.members.size(); ++lane)
    if (sound[lane]) members_[block.members[lane]] = std::move(sums[lane]);
}

std::vector<LaggedSums> FieldAutocovariance::members() const {
  std::vector<LaggedSums> seen;
  for (const LaggedSums& member : members_)
    if (member.lags > 0) seen.push_back(member);
  return seen;
}

}  // namespace gfdt::statistics

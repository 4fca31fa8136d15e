#include "gfdt/statistics/statistics_sink.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/statistics/device_series.hpp"
#include "gfdt/parallel/threads.hpp"
#include "gfdt/symbolic/model/angles.hpp"

namespace gfdt::statistics {
namespace {

codegen::EvaluationPlan plan_of(const symbolic::Model& model) {
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (const symbolic::Observable& observable : model.observables)
    plan.outputs.push_back({{"observable." + observable.name, {}}, observable.formula});
  for (std::size_t i = 0; i < model.own_states(); ++i) {
    if (i == model.time_state) continue;
    const symbolic::Field& state = model.states[i];
    for (const symbolic::StateFunction& function : symbolic::settling_functions(model, i))
      plan.outputs.push_back(
          {{"mean of " + function.name, {}}, symbolic::sum_over_sites(state, function.formula) / state.sites()});
  }
  return plan;
}

}  // namespace

struct StatisticsSink::Evaluators {
  std::unique_ptr<codegen::Evaluator<float>> single_precision;
  std::unique_ptr<codegen::Evaluator<double>> double_precision;

  template <class T>
  const codegen::Evaluator<T>& get() const {
    if constexpr (std::is_same_v<T, float>)
      return *single_precision;
    else
      return *double_precision;
  }
};

class StatisticsSink::Block : public simulate::BlockSinkOf<Block> {
 public:
  Block(const Evaluators& evaluators, const FunctionRows& functions, int quantities, int lanes, std::uint64_t samples)
      : evaluators_(evaluators), functions_(functions), sums(quantities, lanes, samples) {}

  template <class T>
  void take(const simulate::Record<T>& record) {
    const codegen::Evaluator<T>& evaluator = evaluators_.get<T>();
    auto& values = std::get<codegen::AlignedArray<T>>(values_);
    auto& scratch = std::get<codegen::AlignedArray<T>>(scratch_);
    std::size_t size = record.samples * static_cast<std::size_t>(evaluator.outputs() * record.lanes);
    if (values.size() < size) values = codegen::AlignedArray<T>(size);
    if (scratch.size() < evaluator.scratch_size()) scratch = codegen::AlignedArray<T>(evaluator.scratch_size());
    evaluator.evaluate(record.data, record.samples, values.data(), scratch.data());
    functions_.write(record.data, record.samples, record.rows, record.lanes, values.data(), evaluator.outputs());
    sums.add(values.data(), record.samples);
  }

  void pack(Packer& packer) override { sums.pack(packer); }
  void unpack(Unpacker& unpacker) override { sums.unpack(unpacker); }

 private:
  const Evaluators& evaluators_;
  const FunctionRows& functions_;
  std::tuple<codegen::AlignedArray<float>, codegen::AlignedArray<double>> values_, scratch_;

 public:
  SeriesSums sums;
};

/// The sums of blocks that run together on a device.
class StatisticsSink::OnDevice : public simulate::DeviceSink {
 public:
  OnDevice(StatisticsSink& sink, const gpu::Device& device, std::span<const simulate::Block> blocks,
           simulate::Precision precision)
      : sink_(sink),
        blocks_(blocks),
        sums_(device, sink.device_plan_, precision, blocks.size(), sink.options_.samples()) {}

  void consume(const simulate::DeviceRecord& record) override { sums_.add(record); }

  std::vector<std::unique_ptr<simulate::BlockSink>> finish() override {
    std::vector<std::unique_ptr<simulate::BlockSink>> result(blocks_.size());
    sums_.read(sink_.options_.thread_count(), [&](std::size_t b, std::span<const double> numbers) {
      result[b] = sink_.open(blocks_[b]);
      static_cast<Block&>(*result[b]).sums.take(sums_.seen(), numbers);
    });
    return result;
  }

 private:
  StatisticsSink& sink_;
  std::span<const simulate::Block> blocks_;
  DeviceSeries sums_;
};

StatisticsSink::StatisticsSink(const symbolic::Model& model, const simulate::Options& options, std::size_t segments,
                               const ObservedFunctions& functions)
    : observable_count_(model.observables.size()),
      options_(options),
      segments_(segments),
      periodic_(model.period.has_value()),
      evaluators_(std::make_unique<Evaluators>()),
      functions_(model, functions, 0) {
  codegen::EvaluationPlan plan = plan_of(model);
  for (const codegen::Assignment& output : plan.outputs) names_.push_back(output.target.name);
  for (std::size_t i = 0; i < observable_count_; ++i) names_[i] = model.observables[i].name;
  std::size_t next = observable_count_;
  for (std::size_t i = 0; i < model.own_states(); ++i) {
    if (i == model.time_state) continue;
    if (!model.is_angle(i)) squares_.insert(next + 1);
    next += 2;
  }
  if (options.backend == codegen::Backend::cuda && functions.empty())
    device_plan_ = {codegen::lower(plan), model.parameter_values()};
  int lanes = codegen::block_lanes(options.backend, model.dimension());
  if (options.precision == simulate::Precision::single_precision)
    evaluators_->single_precision =
        codegen::make_evaluator<float>(plan, model.parameter_values(), options.backend, lanes);
  else
    evaluators_->double_precision =
        codegen::make_evaluator<double>(plan, model.parameter_values(), options.backend, lanes);
  places_.resize(static_cast<std::size_t>(options.members));
}

StatisticsSink::~StatisticsSink() = default;

std::unique_ptr<simulate::BlockSink> StatisticsSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(*evaluators_, functions_, static_cast<int>(names_.size()), block.lanes,
                                 options_.samples());
}

std::unique_ptr<simulate::DeviceSink> StatisticsSink::open_on_device(const gpu::Device& device,
                                                                     std::span<const simulate::Block> blocks,
                                                                     simulate::Precision precision) {
  if (!device_plan_.fits_device()) return nullptr;
  return std::make_unique<OnDevice>(*this, device, blocks, precision);
}

void StatisticsSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                           const std::vector<bool>& sound) {
  const auto number = static_cast<std::uint32_t>(blocks_.size());
  blocks_.push_back(std::move(static_cast<Block&>(*sink).sums));
  for (std::size_t lane = 0; lane < block.members.size(); ++lane)
    if (sound[lane]) places_[block.members[lane]] = {number, static_cast<std::uint32_t>(lane)};
  seen_.clear();
}

/// The sums, and the temporary copies in `seen`, one quantity per thread.
std::size_t StatisticsSink::bytes_per_member() const {
  const std::size_t at_a_time = std::min(names_.size(), static_cast<std::size_t>(options_.thread_count()));
  return names_.size() * SeriesSums::bytes_per_series(options_.samples()) +
         at_a_time * MemberSums::bytes(SeriesSums::level_count(options_.samples()));
}

void StatisticsSink::for_each_member(const std::function<void(const SeriesSums&, int)>& look) const {
  for (const Place& place : places_) {
    if (place.block == Place::nowhere) throw Error("A run that was not finished has no averages.");
    look(blocks_[place.block], static_cast<int>(place.lane));
  }
}

/// Error of the means over thirds of the time, which consist of whole periods except for a group of samples and one
/// sample at the edge. There the quantity is assumed to be within four standard deviations of its mean.
double StatisticsSink::edge_of_periods(double deviation, std::uint64_t samples) const {
  constexpr double deviations = 4;
  const double share = static_cast<double>(blocks_[0].group() + 1) / (static_cast<double>(samples) / 3);
  return 2 * deviations * deviation * share;
}

StatisticsSink::Seen StatisticsSink::seen_of(std::size_t quantity) const {
  const std::string& name = names_[quantity];
  std::vector<MemberSums> members;
  members.reserve(places_.size());
  for_each_member(
      [&](const SeriesSums& sums, int lane) { members.push_back(sums.member(static_cast<int>(quantity), lane)); });
  Seen result{average(name, members, options_.sample_interval(), blocks_[0].group()), {}};
  std::vector<MemberSums> joined_segments;
  if (segments_ > 1) joined_segments = joined(members, segments_);
  const std::span<const MemberSums> whole = segments_ > 1 ? joined_segments : members;
  double slack = 0;
  if (periodic_ && !whole.empty()) slack = edge_of_periods(result.average.standard_deviation, whole[0].samples);
  const double deviation = result.average.standard_deviation;
  result.drift = squares_.contains(quantity) ? drift_of_positive(name, whole, slack, deviation)
                                             : drift(name, whole, slack, deviation);
  return result;
}

const std::vector<StatisticsSink::Seen>& StatisticsSink::seen() const {
  if (seen_.empty()) {
    std::vector<Seen> all(names_.size());
    for_each_block(all.size(), options_.thread_count(),
                   [&](std::size_t quantity) { all[quantity] = seen_of(quantity); });
    seen_ = std::move(all);
  }
  return seen_;
}

std::vector<Average> StatisticsSink::averages(std::size_t first, std::size_t end) const {
  std::vector<Average> result;
  for (std::size_t quantity = first; quantity < end; ++quantity) result.push_back(seen()[quantity].average);
  return result;
}

std::vector<Average> StatisticsSink::observables() const { return averages(0, observable_count_); }
std::vector<Average> StatisticsSink::monitored() const { return averages(observable_count_, names_.size()); }

Stationarity StatisticsSink::stationarity() const {
  std::vector<Drift> drifts;
  for (const Seen& quantity : seen()) drifts.push_back(quantity.drift);
  return statistics::stationarity(std::move(drifts));
}

std::vector<std::vector<double>> StatisticsSink::member_means() const {
  std::vector<std::vector<double>> result(observable_count_);
  for_each_block(observable_count_, options_.thread_count(), [&](std::size_t q) {
    for_each_member([&](const SeriesSums& sums, int lane) {
      result[q].push_back(sums.member_without_levels(static_cast<int>(q), lane).mean());
    });
  });
  return result;
}

std::vector<std::vector<double>> StatisticsSink::part_means() const {
  std::vector<std::vector<double>> result(observable_count_);
  for (std::size_t q = 0; q < observable_count_; ++q)
    for_each_member([&](const SeriesSums& sums, int lane) {
      const MemberSums member = sums.member_without_levels(static_cast<int>(q), lane);
      for (int part = 0; part < parts_per_member; ++part) result[q].push_back(member.mean_of_parts(part, part + 1));
    });
  return result;
}

}  // namespace gfdt::statistics

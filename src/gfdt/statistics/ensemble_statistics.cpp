#include "gfdt/statistics/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/core/stopwatch.hpp"
#include "gfdt/core/threads.hpp"
#include "gfdt/kernel/kernel.hpp"
#include "gfdt/simulate/device_sink.hpp"
#include "gfdt/simulate/time_dependence.hpp"

namespace gfdt::statistics {
namespace {

kernel::EvaluationPlan plan_of(const model::Model& model) {
  kernel::EvaluationPlan plan{model.indices, model.states, {}};
  for (const model::Observable& observable : model.observables)
    plan.outputs.push_back({{"observable." + observable.name, {}}, observable.formula});
  for (std::size_t i = 0; i < model.own_states(); ++i) {
    if (i == model.time_state) continue;
    const model::Field& state = model.states[i];
    expression::Expression x = state.self();
    double sites = state.sites();
    plan.outputs.push_back({{"mean of " + state.label(), {}}, model::sum_over_sites(state, x) / sites});
    plan.outputs.push_back({{"mean square of " + state.label(), {}}, model::sum_over_sites(state, x * x) / sites});
  }
  return plan;
}

}  // namespace

struct StatisticsSink::Evaluators {
  std::unique_ptr<kernel::Evaluator<float>> single_precision;
  std::unique_ptr<kernel::Evaluator<double>> double_precision;

  template <class T>
  const kernel::Evaluator<T>& get() const {
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
    const kernel::Evaluator<T>& evaluator = evaluators_.get<T>();
    auto& values = std::get<kernel::AlignedArray<T>>(values_);
    auto& scratch = std::get<kernel::AlignedArray<T>>(scratch_);
    std::size_t size = record.samples * static_cast<std::size_t>(evaluator.outputs() * record.lanes);
    if (values.size() < size) values = kernel::AlignedArray<T>(size);
    if (scratch.size() < evaluator.scratch_size()) scratch = kernel::AlignedArray<T>(evaluator.scratch_size());
    evaluator.evaluate(record.data, record.samples, values.data(), scratch.data());
    functions_.write(record.data, record.samples, record.rows, record.lanes, values.data(), evaluator.outputs());
    sums.add(values.data(), record.samples);
  }

  void pack(Packer& packer) override { sums.pack(packer); }
  void unpack(Unpacker& unpacker) override { sums.unpack(unpacker); }

 private:
  const Evaluators& evaluators_;
  const FunctionRows& functions_;
  std::tuple<kernel::AlignedArray<float>, kernel::AlignedArray<double>> values_, scratch_;

 public:
  SeriesSums sums;
};

/// The sums of blocks that run together on a device.
class StatisticsSink::OnDevice : public simulate::DeviceSink {
 public:
  OnDevice(StatisticsSink& sink, const cuda::Device& device, std::span<const simulate::Block> blocks,
           simulate::Precision precision)
      : sink_(sink),
        blocks_(blocks),
        sums_(device, sink.device_plan_, precision, blocks.size(), sink.options_.samples()) {}

  void consume(const simulate::DeviceRecord& record) override { sums_.add(record); }

  std::vector<std::unique_ptr<simulate::BlockSink>> finish() override {
    std::vector<std::unique_ptr<simulate::BlockSink>> result(blocks_.size());
    sums_.read(sink_.threads(), [&](std::size_t b, std::span<const double> numbers) {
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

StatisticsSink::StatisticsSink(const model::Model& model, const simulate::Options& options, std::size_t stretches,
                               const ObservedFunctions& functions)
    : observable_count_(model.observables.size()),
      options_(options),
      stretches_(stretches),
      periodic_(model.period.has_value()),
      evaluators_(std::make_unique<Evaluators>()),
      functions_(model, functions, 0) {
  kernel::EvaluationPlan plan = plan_of(model);
  for (const kernel::Assignment& output : plan.outputs) names_.push_back(output.target.name);
  for (std::size_t i = 0; i < observable_count_; ++i) names_[i] = model.observables[i].name;
  if (options.backend == kernel::Backend::cuda && functions.empty())
    device_plan_ = {kernel::lower(plan), model.parameter_values()};
  int lanes = kernel::block_lanes(options.backend, model.dimension());
  if (options.precision == simulate::Precision::single_precision)
    evaluators_->single_precision =
        kernel::make_evaluator<float>(plan, model.parameter_values(), options.backend, lanes);
  else
    evaluators_->double_precision =
        kernel::make_evaluator<double>(plan, model.parameter_values(), options.backend, lanes);
  places_.resize(static_cast<std::size_t>(options.members));
}

StatisticsSink::~StatisticsSink() = default;

std::unique_ptr<simulate::BlockSink> StatisticsSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(*evaluators_, functions_, static_cast<int>(names_.size()), block.lanes,
                                 options_.samples());
}

std::unique_ptr<simulate::DeviceSink> StatisticsSink::open_on_device(const cuda::Device& device,
                                                                     std::span<const simulate::Block> blocks,
                                                                     simulate::Precision precision) {
  if (!device_plan_.on_device()) return nullptr;
  return std::make_unique<OnDevice>(*this, device, blocks, precision);
}

void StatisticsSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                           const std::vector<bool>& sound) {
  const auto number = static_cast<std::uint32_t>(blocks_.size());
  blocks_.push_back(std::move(static_cast<Block&>(*sink).sums));
  for (std::size_t lane = 0; lane < block.members.size(); ++lane)
    if (sound[lane]) places_[block.members[lane]] = {number, static_cast<std::uint32_t>(lane)};
}

int StatisticsSink::threads() const { return options_.threads > 0 ? options_.threads : available_threads(); }

void StatisticsSink::for_each_quantity(std::size_t first, std::size_t end,
                                       const std::function<void(std::size_t)>& work) const {
  for_each_block(end - first, threads(), [&](std::size_t i) { work(first + i); });
}

std::vector<MemberSums> StatisticsSink::members_of(std::size_t quantity) const {
  std::vector<MemberSums> members;
  members.reserve(places_.size());
  for (const Place& place : places_)
    members.push_back(blocks_[place.block].member(static_cast<int>(quantity), static_cast<int>(place.lane)));
  return members;
}

Average StatisticsSink::average_of(std::size_t quantity, std::span<const MemberSums> members) const {
  return average(names_[quantity], members, options_.sample_interval(), blocks_[0].group());
}

std::vector<Average> StatisticsSink::averages(std::size_t first, std::size_t end) const {
  std::vector<Average> result(end - first);
  for_each_quantity(first, end, [&](std::size_t q) { result[q - first] = average_of(q, members_of(q)); });
  return result;
}

std::vector<Average> StatisticsSink::observables() const { return averages(0, observable_count_); }
std::vector<Average> StatisticsSink::watched() const { return averages(observable_count_, names_.size()); }

Drift StatisticsSink::drift_of(std::size_t quantity) const {
  const std::vector<MemberSums> stretches = members_of(quantity);
  std::vector<MemberSums> whole;
  if (stretches_ > 1) whole = joined(stretches, stretches_);
  const std::span<const MemberSums> members = stretches_ > 1 ? whole : stretches;
  double slack = 0;
  if (periodic_) {
    // A third of the time holds whole periods but for a group of samples and one at its edge, where a quantity is
    // within some four standard deviations of its mean.
    constexpr double deviations = 4;
    const double share = static_cast<double>(blocks_[0].group() + 1) / (static_cast<double>(members[0].samples) / 3);
    slack = 2 * deviations * average_of(quantity, stretches).standard_deviation * share;
  }
  const bool square = quantity >= observable_count_ && (quantity - observable_count_) % 2 == 1;
  return square ? drift_of_positive(names_[quantity], members, slack) : drift(names_[quantity], members, slack);
}

Stationarity StatisticsSink::stationarity() const {
  std::vector<Drift> drifts(names_.size());
  for_each_quantity(0, names_.size(), [&](std::size_t q) { drifts[q] = drift_of(q); });
  return statistics::stationarity(std::move(drifts));
}

std::vector<std::vector<double>> StatisticsSink::member_means() const {
  std::vector<std::vector<double>> result(observable_count_);
  for_each_quantity(0, observable_count_, [&](std::size_t q) {
    for (const MemberSums& member : members_of(q)) result[q].push_back(member.mean());
  });
  return result;
}

std::vector<std::vector<double>> StatisticsSink::part_means() const {
  std::vector<std::vector<double>> result(observable_count_);
  for_each_quantity(0, observable_count_, [&](std::size_t q) {
    for (const MemberSums& member : members_of(q))
      for (int part = 0; part < segments; ++part) result[q].push_back(member.mean_of_segments(part, part + 1));
  });
  return result;
}

bool EnsembleStatistics::usable() const {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.passed || !finding.fatal; });
}

bool EnsembleStatistics::no_problems() const { return std::ranges::all_of(findings, &Finding::passed); }

double EnsembleStatistics::longest_memory() const {
  double longest = 0;
  for (const auto* list : {&observables, &watched})
    for (const Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

EnsembleStatistics simulate_statistics(const model::Model& model, const simulate::Options& options,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks) {
  return simulate_statistics(model, simulate::ModelSource(model, options), control, more_sinks);
}

EnsembleStatistics simulate_statistics(const model::Model& model, const simulate::Source& source,
                                       const simulate::Control& control, std::span<simulate::Sink* const> more_sinks,
                                       const ObservedFunctions& functions) {
  const simulate::Options& options = source.options();
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  const Stopwatch watch;
  StatisticsSink sink(model, options, source.stretches_a_member(), functions);
  double preparation = watch.seconds();
  std::vector<simulate::Sink*> sinks{&sink};
  sinks.insert(sinks.end(), more_sinks.begin(), more_sinks.end());
  EnsembleStatistics result;
  result.run = source.run(sinks, control);
  result.run.wall_seconds += preparation;
  result.run.compile_seconds += preparation;
  result.findings.push_back(stability(result.run, options.members));
  if (result.run.status != simulate::Status::done) return result;
  result.observables = sink.observables();
  const std::vector<std::vector<double>> member_means = sink.member_means();
  result.mean_covariance = covariance_of_means(
      result.observables, options.members >= static_cast<int>(fewest_members) ? member_means : sink.part_means());
  result.findings.push_back(definedness(result.observables));
  result.findings.push_back(variation(result.observables));
  if (model.time_state) result.findings.push_back(time_dependence(model, options));
  result.watched = sink.watched();
  if (!model.time_state || (model.period && simulate::holds_whole_periods(model, options))) {
    result.stationarity = sink.stationarity();
    result.findings.push_back(stationarity_finding(result.stationarity));
  }
  if (model.time_state && !model.period) return result;
  std::vector<Average> all = result.observables;
  all.insert(all.end(), result.watched.begin(), result.watched.end());
  std::erase_if(all, [](const Average& average) { return !std::isfinite(average.autocorrelation_time); });
  result.findings.push_back(mixing(all, options.length));
  std::vector<std::string> names;
  for (const Average& average : result.observables) names.push_back(average.name);
  result.findings.push_back(tails(names, member_means));
  return result;
}

}  // namespace gfdt::statistics

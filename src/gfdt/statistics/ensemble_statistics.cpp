#include "gfdt/statistics/ensemble_statistics.hpp"

#include <algorithm>

#include "gfdt/kernel/kernel.hpp"

namespace gfdt::statistics {
namespace {

kernel::EvaluationPlan plan_of(const model::Model& model) {
  kernel::EvaluationPlan plan{model.indices, model.states, {}};
  for (const model::Observable& observable : model.observables)
    plan.outputs.push_back({{"observable." + observable.name, {}}, observable.formula});
  for (const model::Field& state : model.states) {
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
  Block(const Evaluators& evaluators, int quantities, int lanes, std::uint64_t samples)
      : evaluators_(evaluators), sums(quantities, lanes, samples) {}

  template <class T>
  void take(const simulate::Record<T>& record) {
    const kernel::Evaluator<T>& evaluator = evaluators_.get<T>();
    auto& values = std::get<kernel::AlignedArray<T>>(values_);
    auto& scratch = std::get<kernel::AlignedArray<T>>(scratch_);
    std::size_t size = record.samples * static_cast<std::size_t>(evaluator.outputs() * record.lanes);
    if (values.size() < size) values = kernel::AlignedArray<T>(size);
    if (scratch.size() < evaluator.scratch_size()) scratch = kernel::AlignedArray<T>(evaluator.scratch_size());
    evaluator.evaluate(record.data, record.samples, values.data(), scratch.data());
    sums.add(values.data(), record.samples);
  }

 private:
  const Evaluators& evaluators_;
  std::tuple<kernel::AlignedArray<float>, kernel::AlignedArray<double>> values_, scratch_;

 public:
  SeriesSums sums;
};

StatisticsSink::StatisticsSink(const model::Model& model, const simulate::Options& options)
    : observable_count_(model.observables.size()), options_(options), evaluators_(std::make_unique<Evaluators>()) {
  kernel::EvaluationPlan plan = plan_of(model);
  for (const kernel::Assignment& output : plan.outputs) names_.push_back(output.target.name);
  for (std::size_t i = 0; i < observable_count_; ++i) names_[i] = model.observables[i].name;
  std::map<std::string, double> symbols;
  for (const model::Parameter& parameter : model.parameters) symbols.emplace(parameter.name, parameter.value);
  if (options.precision == simulate::Precision::single_precision)
    evaluators_->single_precision = kernel::make_evaluator<float>(plan, symbols, options.backend);
  else
    evaluators_->double_precision = kernel::make_evaluator<double>(plan, symbols, options.backend);
  sums_.assign(names_.size(), std::vector<MemberSums>(static_cast<std::size_t>(options.members)));
}

StatisticsSink::~StatisticsSink() = default;

std::unique_ptr<simulate::BlockSink> StatisticsSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(*evaluators_, static_cast<int>(names_.size()), block.lanes, options_.samples());
}

void StatisticsSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                           const std::vector<bool>& sound) {
  const SeriesSums& sums = static_cast<const Block&>(*sink).sums;
  group_ = sums.group();
  for (std::size_t lane = 0; lane < block.members.size(); ++lane) {
    if (!sound[lane]) continue;
    for (std::size_t q = 0; q < names_.size(); ++q)
      sums_[q][block.members[lane]] = sums.member(static_cast<int>(q), static_cast<int>(lane));
  }
}

Average StatisticsSink::average_of(std::size_t quantity) const {
  return average(names_[quantity], sums_[quantity], options_.sample_interval(), group_);
}

std::vector<Average> StatisticsSink::observables() const {
  std::vector<Average> result;
  for (std::size_t q = 0; q < observable_count_; ++q) result.push_back(average_of(q));
  return result;
}

std::vector<Average> StatisticsSink::watched() const {
  std::vector<Average> result;
  for (std::size_t q = observable_count_; q < names_.size(); ++q) result.push_back(average_of(q));
  return result;
}

Stationarity StatisticsSink::stationarity() const {
  std::vector<Drift> drifts;
  for (std::size_t q = 0; q < names_.size(); ++q) {
    bool square = q >= observable_count_ && (q - observable_count_) % 2 == 1;
    drifts.push_back(square ? drift_of_positive(names_[q], sums_[q]) : drift(names_[q], sums_[q]));
  }
  return statistics::stationarity(std::move(drifts));
}

std::vector<std::vector<double>> StatisticsSink::member_means() const {
  std::vector<std::vector<double>> result;
  for (std::size_t q = 0; q < observable_count_; ++q) {
    auto& means = result.emplace_back();
    for (const MemberSums& member : sums_[q]) means.push_back(member.mean());
  }
  return result;
}

}  // namespace gfdt::statistics

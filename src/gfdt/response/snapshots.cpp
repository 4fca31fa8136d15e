#include "gfdt/response/snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/core/error.hpp"

namespace gfdt::response {

class SnapshotSink::Block : public simulate::BlockSink {
 public:
  Block(const SnapshotSink& sink, std::size_t lanes)
      : sink_(sink),
        values(sink.samples_ * sink.rows_ * lanes),
        states(sink.samples_ * sink.state_rows_ * lanes),
        scratch_(sink.evaluator_->scratch_size()) {}

  void consume(const simulate::Record<float>&) override {
    throw Error("Snapshots are taken of runs in double precision.");
  }
  void consume(const simulate::Record<double>& record) override {
    const std::size_t lanes = static_cast<std::size_t>(record.lanes);
    sink_.evaluator_->evaluate(record.data, record.samples, values.data() + record.first_sample * sink_.rows_ * lanes,
                               scratch_.data());
    if (sink_.state_rows_ > 0)
      std::copy_n(record.data, record.samples * sink_.state_rows_ * lanes,
                  states.data() + record.first_sample * sink_.state_rows_ * lanes);
  }

 private:
  const SnapshotSink& sink_;

 public:
  kernel::AlignedArray<double> values, states;  ///< [sample][row][lane]

 private:
  kernel::AlignedArray<double> scratch_;
};

SnapshotSink::SnapshotSink(const model::Model& model, const simulate::Options& options, Keep keep)
    : members_(static_cast<std::size_t>(options.members)),
      samples_(options.samples()),
      rows_(model.observables.size()),
      state_rows_(keep == Keep::observables ? 0 : static_cast<std::size_t>(model.dimension())) {
  kernel::EvaluationPlan plan{model.indices, model.states, {}};
  for (std::size_t m = 0; m < rows_; ++m)
    plan.outputs.push_back({{fmt::format("observable.{}", m), {}}, model.observables[m].formula});
  evaluator_ = kernel::make_evaluator<double>(plan, model.parameter_values(), options.backend);
  values_.resize(samples_ * rows_ * members_);
  states_.resize(samples_ * state_rows_ * members_);
}

SnapshotSink::~SnapshotSink() = default;

std::unique_ptr<simulate::BlockSink> SnapshotSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(*this, static_cast<std::size_t>(block.lanes));
}

void SnapshotSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                         const std::vector<bool>& sound) {
  const auto& from = static_cast<const Block&>(*sink);
  const std::size_t lanes = static_cast<std::size_t>(block.lanes);
  for (std::size_t lane = 0; lane < block.members.size(); ++lane) {
    if (!sound[lane]) continue;
    for (std::size_t i = 0; i < samples_ * rows_; ++i)
      values_[i * members_ + block.members[lane]] = from.values[i * lanes + lane];
    for (std::size_t i = 0; i < samples_ * state_rows_; ++i)
      states_[i * members_ + block.members[lane]] = from.states[i * lanes + lane];
  }
}

}  // namespace gfdt::response

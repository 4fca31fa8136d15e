#include "gfdt/jacobian/correlation/snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/error.hpp"
#include "gfdt/simulate/initial_state.hpp"

namespace gfdt::jacobian {

class SnapshotSink::Block : public simulate::BlockSink {
 public:
  Block(const SnapshotSink& sink, const simulate::Block& block)
      : values(sink.samples_ * sink.rows_ * static_cast<std::size_t>(block.lanes)),
        states(sink.samples_ * sink.state_rows_ * static_cast<std::size_t>(block.lanes)),
        sink_(sink),
        scratch_(sink.evaluator_->scratch_size()) {
    if (sink.start_ > 0) put_start(block);
  }

  void consume(const simulate::Record<float>&) override {
    throw Error("Snapshots are taken of runs in double precision.");
  }
  void consume(const simulate::Record<double>& record) override {
    put(record.data, sink_.start_ + record.first_sample, record.samples, static_cast<std::size_t>(record.lanes));
  }

  void pack(Packer& packer) override {
    for (const auto* table : {&values, &states}) packer.put(std::span<const double>(table->data(), table->size()));
  }
  void unpack(Unpacker& unpacker) override {
    for (auto* table : {&values, &states}) unpacker.get(std::span<double>(table->data(), table->size()));
  }

  codegen::AlignedArray<double> values, states;  ///< [sample][row][lane]

 private:
  void put(const double* record, std::size_t first, std::uint64_t samples, std::size_t lanes) {
    sink_.evaluator_->evaluate(record, samples, values.data() + first * sink_.rows_ * lanes, scratch_.data());
    const std::size_t size = sink_.state_rows_ * lanes;
    if (size > 0) std::copy_n(record, samples * size, states.data() + first * size);
  }

  void put_start(const simulate::Block& block) {
    const std::size_t lanes = static_cast<std::size_t>(block.lanes);
    codegen::AlignedArray<double> record(sink_.state_rows_ * lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::vector<double> state = simulate::initial_state(sink_.model_, sink_.options_.seed, block.streams[lane]);
      for (std::size_t row = 0; row < state.size(); ++row) record[row * lanes + lane] = state[row];
    }
    put(record.data(), 0, 1, lanes);
  }

  const SnapshotSink& sink_;
  codegen::AlignedArray<double> scratch_;
};

SnapshotSink::SnapshotSink(const symbolic::Model& model, const simulate::Options& options, Keep keep)
    : model_(model),
      options_(options),
      members_(static_cast<std::size_t>(options.members)),
      samples_(options.samples() + (keep == Keep::observables ? 0 : 1)),
      rows_(model.observables.size()),
      state_rows_(keep == Keep::observables ? 0 : static_cast<std::size_t>(model.dimension())),
      start_(samples_ - options.samples()) {
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (std::size_t m = 0; m < rows_; ++m)
    plan.outputs.push_back({{fmt::format("observable.{}", m), {}}, model.observables[m].formula});
  evaluator_ = codegen::make_evaluator<double>(plan, model.parameter_values(), options.backend);
  values_.resize(samples_ * rows_ * members_);
  states_.resize(samples_ * state_rows_ * members_);
}

SnapshotSink::~SnapshotSink() = default;

std::unique_ptr<simulate::BlockSink> SnapshotSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(*this, block);
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

}  // namespace gfdt::jacobian

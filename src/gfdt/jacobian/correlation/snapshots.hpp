#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Stores the observables of all members at all samples of a run, in double precision.
class SnapshotSink : public simulate::Sink {
 public:
  enum class Keep {
    observables,
    states_from_the_start,  ///< the states as well; the first sample holds the initial states of the members
  };
  /// The model must outlive the sink.
  SnapshotSink(const symbolic::Model& model, const simulate::Options& options, Keep keep = Keep::observables);
  ~SnapshotSink() override;

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;
  std::size_t bytes_per_member() const override { return sizeof(double) * samples_ * (rows_ + state_rows_); }

  std::size_t members() const { return members_; }
  std::size_t samples() const { return samples_; }
  /// Values of all members, in their order.
  std::span<const double> observable(std::size_t sample, std::size_t which) const {
    return at(values_, sample, which, rows_);
  }
  std::span<const double> state(std::size_t sample, std::size_t row) const {
    return at(states_, sample, row, state_rows_);
  }

 private:
  class Block;
  std::span<const double> at(const std::vector<double>& all, std::size_t sample, std::size_t row,
                             std::size_t rows) const {
    return std::span(all).subspan((sample * rows + row) * members_, members_);
  }

  const symbolic::Model& model_;
  simulate::Options options_;
  std::size_t members_, samples_, rows_, state_rows_;
  std::size_t start_;  ///< samples before those of the run
  std::unique_ptr<codegen::Evaluator<double>> evaluator_;
  std::vector<double> values_, states_;  ///< [sample][row][member]
};

}  // namespace gfdt::jacobian

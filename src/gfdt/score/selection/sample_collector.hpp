#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// A ring if all states are fields over the same single index; otherwise sites = 1.
Arrangement arrangement_of(const symbolic::Model& model);

/// Keeps about `wanted` states of a run, evenly spaced in time, with the same number for each member. Members are the
/// groups of the samples.
class SampleCollector : public simulate::Sink {
 public:
  SampleCollector(const symbolic::Model& model, const simulate::Options& options, std::size_t wanted);

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;
  /// Twice the size of the kept states, because `samples` makes a copy.
  std::size_t bytes_per_member() const override { return 2 * sizeof(double) * positions_.size() * names_.size(); }

  std::size_t samples_per_member() const { return positions_.size(); }

  /// The collected samples, with members in increasing order; members that were not completed are left out. `memory` is
  /// the longest autocorrelation time of the model, if known. With fewer than `wanted_groups` members, groups are then
  /// segments of members that are much longer than `memory`.
  Samples samples(double memory = 0) const;
  /// The same, with every member divided into this number of groups.
  Samples samples_in_segments(std::size_t segments) const;
  static constexpr std::size_t wanted_groups = 16;
  static constexpr double memories_per_segment = 20;

 private:
  class Block;
  Arrangement arrangement_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> positions_;      ///< indices of the kept samples among the samples of a member
  double length_;                             ///< of a member, in time units of the model
  std::vector<std::vector<double>> members_;  ///< [member][sample][component]; empty until its block is closed
};

/// The same run with other random numbers: its samples are independent of those of the original run.
simulate::Options held_out_run(simulate::Options options);

/// Runs the model and keeps about `wanted` samples. The outcome of the run is written to `summary`; if that is null, a
/// run that was not completed throws Error.
Samples draw_samples(const symbolic::Model& model, const simulate::Options& options, std::size_t wanted,
                     const simulate::Control& control = {}, simulate::Summary* summary = nullptr, double memory = 0);

}  // namespace gfdt::score

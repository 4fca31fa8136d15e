#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/stationarity.hpp"
#include "gfdt/statistics/observed_functions.hpp"
#include "gfdt/statistics/series/series_sums.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// A sink that averages the model's observables over a run. In addition it monitors the mean and the mean square of
/// every state (over its sites; for angles the mean cosine and sine), so that drifts of unobserved states are detected;
/// time and likelihood weights are not monitored. The results may be requested, from one thread, after a completed run.
class StatisticsSink : public simulate::Sink {
 public:
  /// `segments`: number of consecutive members that form one member of the source; drifts are tested over the whole
  /// time of the latter. `functions` compute the observables that they name.
  StatisticsSink(const symbolic::Model& model, const simulate::Options& options, std::size_t segments = 1,
                 const ObservedFunctions& functions = {});
  ~StatisticsSink() override;

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  std::unique_ptr<simulate::DeviceSink> open_on_device(const gpu::Device& device,
                                                       std::span<const simulate::Block> blocks,
                                                       simulate::Precision precision) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;
  std::size_t bytes_per_member() const override;

  std::vector<Average> observables() const;
  std::vector<Average> monitored() const;  ///< averages of two functions of each state
  Stationarity stationarity() const;
  /// Averages of each member, [observable][member], in the order of the members.
  std::vector<std::vector<double>> member_means() const;
  /// Averages over each of the `parts_per_member` parts of each member's time, [observable][member · parts_per_member +
  /// part]; NaN for a part without samples.
  std::vector<std::vector<double>> part_means() const;

 private:
  class Block;
  class OnDevice;
  struct Evaluators;
  /// The block and lane of a completed member.
  struct Place {
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::uint32_t block = nowhere;  ///< index in blocks_
    std::uint32_t lane = 0;
  };
  /// The results for one quantity over all members.
  struct Seen {
    Average average;
    Drift drift;
  };
  /// Calls `look(sums, lane)` for each member, in the order of the members, with the sums that contain it. Throws Error
  /// if a member was not completed.
  void for_each_member(const std::function<void(const SeriesSums& sums, int lane)>& look) const;
  Seen seen_of(std::size_t quantity) const;
  const std::vector<Seen>& seen() const;
  std::vector<Average> averages(std::size_t first, std::size_t end) const;
  double edge_of_periods(double deviation, std::uint64_t samples) const;

  std::vector<std::string> names_;
  std::set<std::size_t> squares_;  ///< indices of the quantities that are mean squares of states
  DevicePlan device_plan_;         ///< has no stages if sums are computed on the host
  std::size_t observable_count_;
  simulate::Options options_;
  std::size_t segments_;
  bool periodic_;
  std::unique_ptr<Evaluators> evaluators_;
  FunctionRows functions_;
  std::vector<SeriesSums> blocks_;
  std::vector<Place> places_;       ///< one per member
  mutable std::vector<Seen> seen_;  ///< [quantity], computed on the first request
};

}  // namespace gfdt::statistics

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

/// Averages of the model's observables over a run, as a sink. Besides, it watches the mean and the mean square of every
/// state (over its sites; of angles the mean cosine and sine), so that a run that drifts where nobody looks is noticed;
/// but not the time nor weights. It is asked, by one thread, after a run that is done.
class StatisticsSink : public simulate::Sink {
 public:
  /// `segments`: how many consecutive members are one member of the source; whether averages drift is judged over all
  /// of its time. `functions` give the values of the observables that they name.
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
  std::vector<Average> watched() const;  ///< means of two functions of each state
  Stationarity stationarity() const;
  /// Averages of each member, [observable][member], in the order of the members.
  std::vector<std::vector<double>> member_means() const;
  /// Averages over each of the `parts_per_member` parts of each member's time, [observable][member · parts_per_member +
  /// part]; NaN for a part without a sample.
  std::vector<std::vector<double>> part_means() const;

 private:
  class Block;
  class OnDevice;
  struct Evaluators;
  /// Where a member was seen to its end.
  struct Place {
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::uint32_t block = nowhere;  ///< of blocks_
    std::uint32_t lane = 0;
  };
  /// What is made of the members' sums of one quantity.
  struct Seen {
    Average average;
    Drift drift;
  };
  /// Calls `look(sums, lane)` with what has the sums of each member, in the order of the members.
  void for_each_member(const std::function<void(const SeriesSums& sums, int lane)>& look) const;
  Seen seen_of(std::size_t quantity) const;
  const std::vector<Seen>& seen() const;
  std::vector<Average> averages(std::size_t first, std::size_t end) const;
  double edge_of_periods(double deviation, std::uint64_t samples) const;

  std::vector<std::string> names_;
  std::set<std::size_t> squares_;  ///< which quantities are mean squares of states
  DevicePlan device_plan_;         ///< without stages where sums are made on the host
  std::size_t observable_count_;
  simulate::Options options_;
  std::size_t segments_;
  bool periodic_;
  std::unique_ptr<Evaluators> evaluators_;
  FunctionRows functions_;
  std::vector<SeriesSums> blocks_;
  std::vector<Place> places_;       ///< of the members
  mutable std::vector<Seen> seen_;  ///< [quantity], made when it is first asked for
};

}  // namespace gfdt::statistics

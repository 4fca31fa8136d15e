#pragma once

#include <memory>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/statistics/correlation.hpp"

namespace gfdt::statistics {

/// A sink that estimates the autocovariance of a formula per site, averaged over the sites of a state: C(lag) = <f_k(t
/// + lag) f_k(t)> − <f>², where <f> is the mean over all sites.
class FieldAutocovariance : public simulate::Sink {
 public:
  /// Lags 0 … lags − 1, in samples of the run.
  FieldAutocovariance(const symbolic::Model& model, const symbolic::Field& sites, const symbolic::Expression& formula,
                      const simulate::Options& options, int lags);
  ~FieldAutocovariance() override;

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  std::unique_ptr<simulate::DeviceSink> open_on_device(const gpu::Device& device,
                                                       std::span<const simulate::Block> blocks,
                                                       simulate::Precision precision) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;

  /// Sums over the sites of each completed member, in the order of the members.
  std::vector<LaggedSums> members() const;

 private:
  class Block;
  class OnDevice;
  std::unique_ptr<codegen::Evaluator<float>> single_precision_;
  std::unique_ptr<codegen::Evaluator<double>> double_precision_;
  simulate::Options options_;
  DevicePlan device_plan_;  ///< has no stages if sums are computed on the host
  int lags_;
  std::vector<LaggedSums> members_;
};

}  // namespace gfdt::statistics

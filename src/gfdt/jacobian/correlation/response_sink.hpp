#pragma once

#include <memory>
#include <vector>

#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/jacobian/correlation/segments.hpp"
#include "gfdt/jacobian/correlation/signals.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::jacobian {

/// Algorithm for products at many lags; the sums are the same.
enum class Multiplication {
  direct,      ///< LagProducts: for about a hundred lags
  transforms,  ///< LagSpectra: for thousands of lags
};

/// Accumulates the products for a Jacobian along a run. The memory does not depend on the length of the run.
class ResponseSink : public simulate::Sink {
 public:
  ResponseSink(const Signals& signals, const LagBins& bins, const Segments& segments,
               Multiplication multiplication = Multiplication::direct);

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  std::unique_ptr<simulate::DeviceSink> open_on_device(const gpu::Device& device,
                                                       std::span<const simulate::Block> blocks,
                                                       simulate::Precision precision) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;

  /// Sums of groups of segments, in the order of the members.
  const std::vector<LagSums>& groups() const { return groups_; }

 private:
  class Block;
  template <class Products>
  class BlockOf;
  class Done;
  class OnDevice;
  const Signals& signals_;
  LagBins bins_;
  Segments segments_;
  Multiplication multiplication_;
  std::vector<LagSums> groups_;
};

}  // namespace gfdt::jacobian

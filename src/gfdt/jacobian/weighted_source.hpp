#pragma once

#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// The run of a model with likelihood-ratio weights z, which are replaced by their rates (z_{n+1} − z_n)/Δ at sample n.
/// With the rates as earlier rows the sum over lags l of <A(x_{n+l}) rate_n>Δ equals <A(x_n)(z_n − z_{n−l})> exactly,
/// without quadrature error, and the rates are stationary. They are 0 at the last sample. The model must outlive the
/// source.
class WeightedSource : public simulate::Source {
 public:
  WeightedSource(const symbolic::Model& weighted, simulate::Options options)
      : Source(std::move(options)), model_(weighted) {}
  simulate::Summary run(std::span<simulate::Sink* const> sinks, const simulate::Control& control) const override;

 private:
  const symbolic::Model& model_;
};

}  // namespace gfdt::jacobian

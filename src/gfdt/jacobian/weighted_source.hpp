#pragma once

#include "gfdt/simulate/source.hpp"

namespace gfdt::jacobian {

/// The run of a model with weights of likelihood ratios, of which it shows the rates, (z_{n+1} − z_n)/Δ at sample n, in
/// place of the weights z. With them as earlier rows the sum over lags l of <A(x_{n+l}) rate_n>Δ is <A(x_n)(z_n −
/// z_{n−l})> as it stands, without an error of quadrature, and they are stationary. At the last sample they are 0. The
/// model must outlive it.
class WeightedSource : public simulate::Source {
 public:
  WeightedSource(const symbolic::Model& weighted, simulate::Options options)
      : Source(std::move(options)), model_(weighted) {}
  simulate::Summary run(std::span<simulate::Sink* const> sinks, const simulate::Control& control) const override;

 private:
  const symbolic::Model& model_;
};

}  // namespace gfdt::jacobian

#pragma once

#include <vector>

#include "gfdt/response/kernels.hpp"
#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::response {

/// The change of a parameter in time: piecewise linear between its points, zero before the first and constant after the
/// last.
class Forcing {
 public:
  /// A step at time 0.
  static Forcing step(double size) { return Forcing({0}, {size}); }
  /// Throws Error unless there are as many values as times, all are finite, and the times increase and are not
  /// negative.
  Forcing(std::vector<double> time, std::vector<double> value);

  const std::vector<double>& time() const { return time_; }
  double at(double t) const;
  double integral(double t) const;         ///< ∫₀ᵗ f
  double double_integral(double t) const;  ///< ∫₀ᵗ ∫₀ˢ f

  /// f as a formula of a time variable with rounding errors of up to `rounding`, which must be much smaller than the
  /// distances between points.
  symbolic::Expression formula(const symbolic::Expression& t, double rounding) const;

 private:
  std::size_t point_before(double t) const;  ///< time_.size() if there is none

  std::vector<double> time_, value_, slope_;
  std::vector<double> integral_, double_integral_;  ///< up to each point
};

/// Weights w with Σ_n w_n K(n·interval) = ∫₀ᵗ K(u) f(t − u) du, exact for kernels that are piecewise linear between
/// `nodes` nodes and zero beyond the last.
jacobian::Weights forcing_weights(const Forcing& forcing, double t, double interval, std::size_t nodes);

/// δ<A>(t) = ∫₀ᵗ K(t − s) f(s) ds + f(t) <∂A/∂θ> for a change f of a parameter, at each of `times`; NaN if there is no
/// kernel.
std::vector<jacobian::Estimate> forced_response(const Kernels& kernels, std::size_t observable, std::size_t parameter,
                                                const Forcing& forcing, const std::vector<double>& times);

}  // namespace gfdt::response

#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/correlation.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::calibrate {

/// What a reduced model is to keep of a full one, and the closure that stands for the rest.
struct ClosureOptions {
  std::string state;       ///< the field, or scalar, that is kept
  int degree = 3;          ///< of the polynomial
  double longest_lag = 1;  ///< up to which the autocovariance of the residual is seen
  int lag_cadence = 2;     ///< steps between lags
};

/// A first guess of a closure and targets for it, both from one run of the full model.
///
/// The full model has dX_k = [resolved(X) − U_k] dt + σ_x dW_k, where −U holds the terms of the drift in which other
/// states stand; the reduced one has a polynomial of X_k in place of U_k and a noise of amplitude σ in place of σ_x:
///
///     α    least squares of U_k on 1, X_k, …, X_kᵈ over all sites and times
///     σ²   σ_x² + 2 ∫ C(t) dt       C: autocovariance of the residual, by trapezoids to the first lag with C ≤ 0
///
/// U is read from the states. Where only X is at hand it must be read from differences of X in time, and it makes a
/// difference which: the centred ones hold the mean of the drift forward and backward in time, and are fitted by
/// U + ½ σ_x² s(X), s the score of X_k. `centred` are the coefficients that they would give in the limit of a small
/// time step. They have lost half of σ_x² s to the drift, which has no place in it. The noise of centred differences
/// has the autocovariance σ_x²/2Δt, σ_x²/4Δt, 0, whose trapezoids are σ_x²/2: σ agrees.
struct ClosureFit {
  statistics::EnsembleStatistics statistics;  ///< of the model's observables, and of moments of U and X after them
  std::vector<double> coefficients;           ///< α_0 … α_d
  std::vector<double> coefficient_covariance;
  std::vector<double> centred;
  double own_noise = 0;  ///< σ_x
  double sigma = 0;
  double sigma_error = 0;
  double first_zero = 0;  ///< lag at which the autocovariance has fallen to 0; the longest where it has not
  statistics::LaggedCorrelation residual;
  Targets targets;  ///< of the model's observables
  std::vector<std::string> remarks;
  double simulated_time = 0, wall_seconds = 0;

  bool usable() const { return statistics.usable() && !residual.value.empty(); }
  std::vector<double> guess() const;  ///< α_0 … α_d, σ
};

/// Runs the full model twice, the same run. Throws Error where the state has no such terms in its drift, or a noise
/// that is not additive.
ClosureFit fit_closure(const symbolic::Model& model, const ClosureOptions& closure, const simulate::Options& options,
                       const simulate::Control& control = {});

/// U of a state, per site.
symbolic::Expression unresolved_tendency(const symbolic::Model& model, const std::string& state);

}  // namespace gfdt::calibrate

#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/correlation.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::calibrate {

/// The part of a full model that a reduced model keeps, and the form of the closure that represents the rest.
struct ClosureOptions {
  std::string state;       ///< name of the field or scalar that is kept
  int degree = 3;          ///< degree of the polynomial, 0 to 8
  double longest_lag = 1;  ///< longest lag of the autocovariance of the residual, in time units of the model
  int lag_cadence = 2;     ///< number of steps between lags
};

/// A first guess of a closure and targets for its calibration, both from one run of the full model.
///
/// In the full model dX_k = [resolved(X) − U_k] dt + σ_x dW_k, where −U holds the terms of the drift that depend on
/// other states. The reduced model replaces U_k by a polynomial of X_k and σ_x by a noise amplitude σ:
///
///     α    least squares of U_k on 1, X_k, …, X_kᵈ over all sites and times
///     σ²   σ_x² + 2 ∫ C(t) dt       C: autocovariance of the residual, by trapezoids to the first lag with C ≤ 0
///
/// U is computed from the states. If only X is available, U must be estimated from differences of X in time, and the
/// kind of difference matters: a centred difference estimates the mean of the drifts forward and backward in time,
/// which gives a fit to U + ½ σ_x² s(X), where s is the score of X_k. `centred` holds the coefficients of that fit in
/// the limit of a small time step; they are biased, because half of σ_x² s does not belong to the drift. σ is not
/// affected: the noise of centred differences has the autocovariance σ_x²/2Δt, σ_x²/4Δt, 0, whose trapezoids add up to
/// σ_x²/2.
struct ClosureFit {
  statistics::EnsembleStatistics statistics;  ///< of the model's observables, followed by the moments of U and X
  std::vector<double> coefficients;           ///< α_0 … α_d
  std::vector<double> coefficient_covariance;
  std::vector<double> centred;
  double own_noise = 0;  ///< σ_x
  double sigma = 0;
  double sigma_error = 0;
  double first_zero = 0;  ///< lag at which the autocovariance has fallen to 0, or the longest lag if it has not
  statistics::LaggedCorrelation residual;
  Targets targets;  ///< averages of the model's observables
  std::vector<std::string> remarks;
  double simulated_time = 0, wall_seconds = 0;

  bool usable() const { return statistics.usable() && !residual.value.empty(); }
  std::vector<double> guess() const;  ///< α_0 … α_d, σ
};

/// Simulates the same run of the full model twice: once for the fit, once for its residual. Throws Error if no other
/// state occurs in the drift of the state, or if its noise is not additive.
ClosureFit fit_closure(const symbolic::Model& model, const ClosureOptions& closure, const simulate::Options& options,
                       const simulate::Control& control = {});

/// U of a state, per site. Throws Error if no other state occurs in the drift.
symbolic::Expression unresolved_tendency(const symbolic::Model& model, const std::string& state);

}  // namespace gfdt::calibrate

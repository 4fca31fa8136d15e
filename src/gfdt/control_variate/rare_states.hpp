#pragma once

#include <span>
#include <vector>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::control_variate {

/// The possible contribution of rarely visited states to the averages of a run.
///
/// With twice the noise covariance, the probability of rare states is about the square root of the original one, as for
/// ρ ∝ exp(−V/T). The probability p(x) that a state variable lies beyond x is therefore estimated as
///
///     p(x) ≈ q (h(x)/h(y))²,
///
/// where h is the probability in a short run with twice the noise covariance, and y has p(y) = q = 5 % in a short run
/// with the noise of the model. States beyond x are rare if all members together visit them fewer than twice in their
/// total time T, p(x) T < 4τ with the longest autocorrelation time τ. They contribute ∫ (A − <A>) dp to a plain
/// average, and ∫ (A + L u − <A>) dp to one with a control variate.
class RareStates {
 public:
  /// The contribution to an average, along the state variable for which it is largest.
  struct Effect {
    double size = 0;
    double slope = 0;  ///< −Σ |dp (A − <A>)| log p; divided by the natural change of θ, the contribution to ∂<A>/∂θ
    std::size_t state = 0;   ///< index of the state variable
    double place = 0;        ///< mean value of the state variable over the rare states
    double probability = 0;  ///< total probability of the rare states
  };

  /// `averages`: those of the run with `options`. `fit`: their control variate, null without one. `functions` compute
  /// the values of observables that have no formula.
  static RareStates of(const symbolic::Model& model, const simulate::Options& options,
                       const statistics::PilotRun& pilot, std::span<const statistics::Average> averages,
                       const ControlVariate* fit, const statistics::ObservedFunctions& functions,
                       const simulate::Control& control);

  bool judged() const { return judged_; }
  /// The effect on the reported average and on the plain one. Zero if noise explains it, that is, below two standard
  /// errors.
  const Effect& on_average(std::size_t observable) const { return average_[observable]; }
  const Effect& on_plain(std::size_t observable) const { return plain_[observable]; }

  /// The slope of the effect on A + L u, even if noise explains it; 0 if the average is plain.
  double slope_of_residual(std::size_t observable) const { return residual_slope_[observable]; }

  /// Adds the effects to the standard errors of averages and to the diagonal of their covariance. The diagnostic fails
  /// if an effect dominates a standard error.
  Diagnostic include(const symbolic::Model& model, const simulate::Options& options,
                     std::vector<statistics::Average>& averages, std::vector<double>& covariance) const;

 private:
  bool judged_ = false;
  double memory_ = 0;
  std::vector<Effect> average_, plain_;
  std::vector<double> residual_slope_;
};

}  // namespace gfdt::control_variate

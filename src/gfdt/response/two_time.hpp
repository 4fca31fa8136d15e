#pragma once

#include <string>
#include <vector>

#include "gfdt/response/forcing.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::response {

/// Responses of an ensemble that starts from the initial distribution [model.initial], for models that may depend on
/// time.
struct TwoTimeProblem {
  const symbolic::Model& model;
  simulate::Options simulation;  ///< its length is the longest time of the responses; there is no burn-in
  std::vector<std::string> parameters;
  score::Options score = {};  ///< automatic stands for gaussian
  int times = 64;             ///< approximate number of intervals into which the length is divided
};

/// K(t, s) = <A(x_t) g(x_s, s)> on a grid of times, where g contains the score of the distribution at time s. The
/// response to a change f of a parameter is ∫₀ᵗ K(t, s) f(s) ds + f(t) <∂A/∂θ>(t).
///
/// Standard errors come from a jackknife over groups of members. A Gaussian score is fitted again for each replicate,
/// so its errors are included. Learned scores are fitted on the two halves of the members in turn, and the difference
/// between the two contributes to the standard error.
struct TwoTimeKernels {
  simulate::Summary run;
  std::string score;
  std::vector<double> time;                             ///< starts at 0
  std::vector<std::vector<jacobian::Estimate>> mean;    ///< [observable][time], of the observables themselves
  std::vector<std::vector<jacobian::Estimate>> direct;  ///< [entry][time], <∂A/∂θ>
  std::vector<std::string> missing;                     ///< per parameter: why there is no response, or empty
  std::vector<Diagnostic> diagnostics;
  std::size_t observables = 0, parameters = 0;
  double wall_seconds = 0;

  std::size_t entry(std::size_t observable, std::size_t parameter) const { return observable * parameters + parameter; }
  bool usable() const;

  /// `t` and `s` ≤ t are indices of times. NaN at s = 0 if members start without spread.
  jacobian::Estimate kernel(std::size_t observable, std::size_t parameter, std::size_t t, std::size_t s) const;
  /// The response at all times.
  std::vector<jacobian::Estimate> forced_response(std::size_t observable, std::size_t parameter,
                                                  const Forcing& forcing) const;

  /// Values on the grid, [entry][t][s], and the deviations of the jackknife replicates, [group][entry][t][s].
  struct Part {
    std::vector<double> value;
    std::vector<std::vector<double>> influence;
  };
  Part kernels, difference;     ///< `difference` is that between two learned scores; empty if there are none
  std::size_t first_known = 0;  ///< index of the first s with a kernel: 1 if members start without spread

 private:
  jacobian::Estimate sum(std::size_t entry, std::size_t t, const std::vector<double>& weights) const;
};

/// Throws Error for an invalid problem.
TwoTimeKernels two_time_kernels(const TwoTimeProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::response

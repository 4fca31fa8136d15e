#pragma once

#include <string>
#include <vector>

#include "gfdt/response/forcing.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::response {

/// Responses of an ensemble that starts from a given law, [model.initial], and may depend on time.
struct TwoTimeProblem {
  const symbolic::Model& model;
  simulate::Options simulation;  ///< its length is how far responses reach; no burn-in
  std::vector<std::string> parameters;
  score::Options score = {};  ///< automatic stands for gaussian
  int times = 64;             ///< intervals into which the length is cut, about
};

/// K(t, s) = <A(x_t) g(x_s, s)>, g being made of the score of the law at time s, on a grid of times. The response to a
/// change f of a parameter is ∫₀ᵗ K(t, s) f(s) ds + f(t) <∂A/∂θ>(t).
///
/// Errors are those of a jackknife over groups of members. A Gaussian score is fitted again for each of them, so that
/// they hold its errors; learned ones are fitted on the two halves of the members in turn and add what the two differ
/// by.
struct TwoTimeKernels {
  simulate::Summary run;
  std::string score;
  std::vector<double> time;                             ///< 0, …
  std::vector<std::vector<jacobian::Estimate>> mean;    ///< [observable][time], of the observables themselves
  std::vector<std::vector<jacobian::Estimate>> direct;  ///< [entry][time], <∂A/∂θ>
  std::vector<std::string> missing;                     ///< of each parameter, why there is no response
  std::vector<Diagnostic> diagnostics;
  std::size_t observables = 0, parameters = 0;
  double wall_seconds = 0;

  std::size_t entry(std::size_t observable, std::size_t parameter) const { return observable * parameters + parameter; }
  bool usable() const;

  /// s ≤ t, both numbers of times. At s = 0 it is NaN where members start without spread.
  jacobian::Estimate kernel(std::size_t observable, std::size_t parameter, std::size_t t, std::size_t s) const;
  /// At all times.
  std::vector<jacobian::Estimate> forced_response(std::size_t observable, std::size_t parameter,
                                                  const Forcing& forcing) const;

  /// Values on the grid, [entry][t][s], and how far each replicate of the jackknife is off, [group][entry][t][s].
  struct Part {
    std::vector<double> value;
    std::vector<std::vector<double>> influence;
  };
  Part kernels, difference;     ///< the difference between two learned scores; empty where there is none
  std::size_t first_known = 0;  ///< the first s that has a kernel: 1 where members start without spread

 private:
  jacobian::Estimate sum(std::size_t entry, std::size_t t, const std::vector<double>& weights) const;
};

/// Throws Error for a problem that makes no sense.
TwoTimeKernels two_time_kernels(const TwoTimeProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::response

#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gfdt/response/forcing.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::response {

/// Responses to a forcing by running it: half the difference of two ensembles, in which a parameter θ is θ + f(t) and
/// θ − f(t), with the same random numbers.
struct PerturbedEnsemble {
  simulate::Summary run;     ///< the one that did not come to its end, else the second
  std::vector<double> time;  ///< spacing, 2·spacing, …
  std::vector<std::vector<jacobian::Estimate>> of_observable;  ///< [observable][time]; empty unless both runs are done
  double simulated_time = 0;
  int members = 0;
};

struct PerturbedOptions {
  double until = 0;   ///< the longest time after the start of the forcing
  int steps = 1;      ///< of the scheme from one time to the next
  double budget = 0;  ///< time to simulate in each of the two runs, about; it decides on the number of members
  double longest_burn_in = std::numeric_limits<double>::infinity();
  static constexpr std::size_t most_points = 500;
};

/// Members are started and burned in as those of `simulation`; the forcing sets in after the burn-in, or, for a model
/// that depends on time, at time 0 without any. Throws Error for a forcing of more than `most_points` points.
PerturbedEnsemble perturbed_ensemble(const symbolic::Model& model, simulate::Options simulation,
                                     const std::string& parameter, const Forcing& forcing,
                                     const PerturbedOptions& options, const simulate::Control& control = {});

}  // namespace gfdt::response

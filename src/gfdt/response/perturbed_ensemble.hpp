#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gfdt/response/forcing.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::response {

/// The response to a forcing from direct simulation: half the difference between two ensembles with the parameter θ +
/// f(t) and θ − f(t) and the same random numbers.
struct PerturbedEnsemble {
  simulate::Summary run;     ///< the run that was not completed, otherwise the second run
  std::vector<double> time;  ///< spacing, 2·spacing, …
  std::vector<std::vector<jacobian::Estimate>> of_observable;  ///< [observable][time]; empty if a run failed
  double simulated_time = 0;
  int members = 0;
};

struct PerturbedOptions {
  double until = 0;   ///< longest time after the start of the forcing
  int steps = 1;      ///< time steps between two times
  double budget = 0;  ///< approximate simulated time of each of the two runs; determines the number of members
  double longest_burn_in = std::numeric_limits<double>::infinity();
  static constexpr std::size_t most_points = 500;
};

/// Members start and are burned in as in `simulation`. The forcing starts after the burn-in; for a model that depends
/// on time it starts at time 0, without burn-in. Throws Error for a forcing of more than `most_points` points.
PerturbedEnsemble perturbed_ensemble(const symbolic::Model& model, simulate::Options simulation,
                                     const std::string& parameter, const Forcing& forcing,
                                     const PerturbedOptions& options, const simulate::Control& control = {});

}  // namespace gfdt::response

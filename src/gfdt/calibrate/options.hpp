#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gfdt::calibrate {

enum class Algorithm {
  levenberg_marquardt,  ///< steps within a trust region, rejected where the mismatch grows
  gauss_newton,         ///< full steps, as in the paper
  ensemble_kalman,      ///< ensemble Kalman inversion, without Jacobians
};

enum class Weighting {
  noise,       ///< the inverse covariance of what mismatches are uncertain by: targets and simulation
  covariance,  ///< the inverse covariance of the observables themselves, with a ridge
  variance,    ///< the inverse variances of the observables
  none,        ///< as they are
};

const std::vector<std::string>& algorithm_names();
const char* name(Algorithm algorithm);
std::optional<Algorithm> algorithm_named(const std::string& name);
const std::vector<std::string>& weighting_names();
const char* name(Weighting weighting);
std::optional<Weighting> weighting_named(const std::string& name);

/// How parameters are sought.
struct Options {
  Algorithm algorithm = Algorithm::levenberg_marquardt;
  Weighting weights = Weighting::noise;
  double ridge = 1e-10;  ///< added to the diagonal of the covariance of the observables before it is inverted
  double tikhonov = 0;   ///< γ of Γ = γ D⁻², where D scales the columns of the Jacobian to norm 1
  double trust_radius =
      0.5;  ///< of the first step: predicted change of the statistics, in standard deviations of the observables

  int iterations = 30;                        ///< at most
  std::optional<double> tolerance = {};       ///< stop where the norm of the mismatch falls below
  bool until_noise = true;                    ///< stop at the minimum of the objective, as far as noise tells it
  std::optional<double> simulated_time = {};  ///< budget, of all members and runs together
  double confidence = 0.95;                   ///< of the region of the result

  double first_length = 0.125;  ///< of the first runs, as a share of simulation.length; 1: all runs are equally long

  double condition_cap = 1e4;      ///< of the scaled Jacobian, beyond which steps are short
  double capped_step = 0.05;       ///< their length relative to the parameters
  int halvings = 3;                ///< of a step that leads to unstable dynamics
  double stability_length = 0.05;  ///< of the runs that check a step, as a share of simulation.length; 0: no checks

  int ensemble = 0;                   ///< of ensemble Kalman inversion; 0: ten for each parameter, 20 at least
  bool ensemble_to_posterior = true;  ///< else it ends where noise explains the mismatch at its mean
  double ensemble_spread = 0.2;       ///< of its first ensemble, relative to the parameters, where there is no prior

  bool curvature = true;  ///< whether runs at the ends of the 95 % intervals measure how the statistics curve

  int predictive_draws = 40;  ///< of the parameters, from the posterior, for what the answer foretells; 0: none

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

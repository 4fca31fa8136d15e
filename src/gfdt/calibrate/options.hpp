#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gfdt::calibrate {

enum class Algorithm {
  levenberg_marquardt,  ///< steps within a trust region, rejected if the mismatch grows
  gauss_newton,         ///< full steps, as in the paper
  ensemble_kalman,      ///< ensemble Kalman inversion, without Jacobians
};

enum class Weighting {
  noise,       ///< the inverse covariance of the noise of the mismatch, from targets and simulation
  covariance,  ///< the inverse covariance of the observables themselves, with a ridge
  variance,    ///< the inverse variances of the observables
  none,        ///< unweighted
};

const std::vector<std::string>& algorithm_names();
const char* name(Algorithm algorithm);
std::optional<Algorithm> algorithm_named(const std::string& name);
const std::vector<std::string>& weighting_names();
const char* name(Weighting weighting);
std::optional<Weighting> weighting_named(const std::string& name);

/// Options of the search for the parameters.
struct Options {
  Algorithm algorithm = Algorithm::levenberg_marquardt;
  Weighting weights = Weighting::noise;
  double ridge = 1e-10;  ///< added to the diagonal of the covariance of the observables before it is inverted
  double tikhonov = 0;   ///< γ of Γ = γ D⁻², where D scales the columns of the Jacobian to norm 1
  /// Trust radius of the first step: predicted change of the statistics, in standard deviations of the observables.
  double trust_radius = 0.5;

  int iterations = 30;                        ///< maximum number
  std::optional<double> tolerance = {};       ///< stop if the norm of the mismatch falls below it
  bool until_noise = true;                    ///< stop at the minimum of the objective, within the noise
  std::optional<double> simulated_time = {};  ///< budget, summed over all members and runs
  double confidence = 0.95;                   ///< level of the confidence region of the result

  double first_length = 0.125;  ///< of the first runs, as a share of simulation.length; 1: all runs have the same
                                ///< length

  double condition_cap = 1e4;      ///< condition number above which Gauss–Newton steps are shortened
  double capped_step = 0.05;       ///< length of the shortened steps, relative to the parameters
  int halvings = 3;                ///< maximum number of halvings of a step that leads to unstable dynamics
  double stability_length = 0.05;  ///< length of the stability checks, as a share of simulation.length; 0: no checks

  int ensemble = 0;                   ///< ensemble size of ensemble Kalman inversion; 0: ten per parameter, at least 20
  bool ensemble_to_posterior = true;  ///< false: stop as soon as noise explains the mismatch at the ensemble mean
  double ensemble_spread = 0.2;       ///< relative spread of the first ensemble, for parameters without a prior

  bool curvature = true;  ///< whether to measure nonlinearity by runs at the ends of the 95 % intervals

  int predictive_draws = 40;  ///< draws of the parameters from the posterior for posterior predictive checks; 0: none

  /// A sentence that describes the first error in these options; empty if there is none.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

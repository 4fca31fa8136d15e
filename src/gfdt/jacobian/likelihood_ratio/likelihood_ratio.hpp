#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// What a Jacobian is made from by likelihood ratios: runs of the model itself, whose noise is known.
struct LikelihoodRatioProblem {
  const symbolic::Model& model;
  simulate::Options simulation;
  std::vector<std::string> parameters;  ///< the columns
  Options response = {};
  statistics::ObservedFunctions functions = {};  ///< that give the observables they name; they see the model's states
};

/// The Jacobian without any score: ∂<A>/∂θ = lim <A(x_t) (z_t − z_{t−l})>, where z is the weight of the parameter
/// (symbolic/derived/likelihood_weights.hpp). Statistics and correlations come from one run, the same that other
/// methods make; a short one before it tells how long the lags must be, and the run is replayed where they were not
/// long enough. Columns that have no weight are missing, with a remark. Standard errors are those of independent
/// members. Throws Error for a problem that makes no sense.
GfdtJacobian likelihood_ratio_jacobian(const LikelihoodRatioProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

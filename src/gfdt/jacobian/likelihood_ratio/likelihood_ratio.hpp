#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// Inputs of a likelihood-ratio estimate: simulations of the model itself, whose noise is known.
struct LikelihoodRatioProblem {
  const symbolic::Model& model;
  simulate::Options simulation;
  std::vector<std::string> parameters;  ///< the columns
  Options response = {};
  statistics::ObservedFunctions functions = {};  ///< replace the formulas of the observables that they name; called
                                                 ///< with the model's states
};

/// The Jacobian without a score: ∂<A>/∂θ = lim <A(x_t) (z_t − z_{t−l})>, where z is the weight of the parameter
/// (symbolic/derived/likelihood_weights.hpp). Statistics and correlations come from the same run that other methods
/// use. A pilot run determines the longest lag, and the run is replayed if the lags were too short. Columns without a
/// weight are missing, with a remark. Standard errors come from independent members. Throws Error for an invalid
/// problem.
GfdtJacobian likelihood_ratio_jacobian(const LikelihoodRatioProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/model/model.hpp"

namespace gfdt::model {

/// What carries the likelihood ratio of one parameter.
struct WeightColumn {
  std::string parameter;
  std::optional<std::size_t> weight;  ///< which of the weights; none where the parameter is not in the dynamics
  std::string unavailable;            ///< why there is none though it is; empty otherwise
};

/// A model whose last states are weights, and the columns that they stand for. The other states are the model's own
/// and move as they do without weights, bit for bit.
struct WeightedModel {
  Model model;
  std::vector<WeightColumn> columns;  ///< one a parameter
};

/// Weights of likelihood ratios for these parameters. With J = ∂F/∂θ a weight is dz = a·dW, Σa = J, and
///   ∂<A>/∂θ = lim <A(x_t) (z_t − z_{t−l})>   for long l.
/// A change of a parameter by which all noise is scaled, ∂Σ/∂θ = κΣ with κ free of the states, changes the law as the
/// direction J − 2κF does: F and D scaled alike leave the stationary law what it is. Throws Error for a parameter that
/// is unknown and for a model that depends on time; what else stands in the way is said in the column.
WeightedModel with_likelihood_weights(const Model& model, const std::vector<std::string>& parameters);

}  // namespace gfdt::model

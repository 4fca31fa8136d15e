#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// What carries the likelihood ratio of one parameter.
struct WeightColumn {
  std::string parameter;
  std::optional<std::size_t> weight = {};  ///< which of the weights
  std::string unavailable = {};            ///< why there is none though the parameter is in the dynamics
  Expression kappa = {};                   ///< of ∂Σ/∂θ = κΣ

  /// Another weight of a parameter that scales all noise: with x·∇A the rate at which an observable grows when all
  /// states are stretched, ∂<A>/∂θ is its response and κλ<x·∇A>.
  std::optional<std::size_t> stretched = {};
  std::string share = {};                ///< λ, a parameter of the weighted model
  Expression overlap = {}, square = {};  ///< <a·b> and <b·b>: the weight a + λb varies least with λ = −<a·b>/<b·b>

  bool has_weight() const { return weight || stretched; }
};

/// Which weights are wanted of parameters that scale all noise.
struct NoiseWeights {
  bool plain = true;
  bool stretched = false;  ///< where noise is additive; plain ones elsewhere
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
/// direction J − 2κF does: F and D scaled alike leave the stationary law what it is. That direction is large. With
/// additive noise a stretched state (1 + ε)x obeys the equation with noise (1 + ε)Σ and drift F + ε(F − x·∇F), so that
/// the change is also that of the direction J − κ(F − x·∇F), and of κ<x·∇A>. A share λ of the second and 1 − λ of the
/// first make J − 2κF + λκ(F + x·∇F), which may be much smaller: it is zero for a linear drift. Throws Error for a
/// parameter that is unknown and for a model that depends on time; what else stands in the way is said in the column.
WeightedModel with_likelihood_weights(const Model& model, const std::vector<std::string>& parameters,
                                      const NoiseWeights& noise = {});

/// x·∇ of a formula: how it grows when all states are stretched. Throws NotDifferentiable.
Expression stretching(const Model& model, const Expression& formula);

}  // namespace gfdt::symbolic

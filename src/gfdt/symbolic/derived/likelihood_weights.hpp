#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Likelihood-ratio weight of one parameter.
struct WeightColumn {
  std::string parameter;
  std::optional<std::size_t> weight = {};  ///< index among the weights
  std::string unavailable = {};            ///< reason why a weight is missing
  Expression kappa = {};                   ///< κ in ∂Σ/∂θ = κΣ

  /// Index of an alternative weight of a parameter that scales all noise. x·∇A is the rate of change of an observable A
  /// when all states are scaled up; ∂<A>/∂θ is the response of A plus κλ<x·∇A>.
  std::optional<std::size_t> stretched = {};
  std::string share = {};                ///< name of λ, a parameter of the weighted model
  Expression overlap = {}, square = {};  ///< <a·b> and <b·b>: a + λb varies least for λ = −<a·b>/<b·b>

  bool has_weight() const { return weight || stretched; }
};

/// Weights to derive for parameters that scale all noise.
struct NoiseWeights {
  bool plain = true;
  bool stretched = false;  ///< for additive noise only; other models get plain weights
};

/// A model whose last states are weights, and one column per parameter. The original states evolve exactly as they do
/// without weights; the results are bit-identical.
struct WeightedModel {
  Model model;
  std::vector<WeightColumn> columns;  ///< one per parameter
};

/// Derives likelihood-ratio weights for these parameters. With J = ∂F/∂θ, a weight is dz = a·dW with Σa = J, and
///   ∂<A>/∂θ = lim <A(x_t) (z_t − z_{t−l})>   for long l.
/// If a parameter scales all noise, ∂Σ/∂θ = κΣ with κ independent of the states, it changes the stationary distribution
/// in the same way as the change J − 2κF of the drift, because scaling F and D together leaves the distribution
/// unchanged. That change is large. If noise is additive, the scaled state (1 + ε)x satisfies the equation with noise
/// (1 + ε)Σ and drift F + ε(F − x·∇F). The effect of the parameter therefore also equals that of the drift change J −
/// κ(F − x·∇F) plus κ<x·∇A>. A fraction λ of the second form and 1 − λ of the first give the drift change J − 2κF +
/// λκ(F + x·∇F), which may be much smaller: it is zero for a linear drift.
///
/// Throws Error if a parameter is unknown or the model depends on time. Other obstacles are reported in the column.
WeightedModel with_likelihood_weights(const Model& model, const std::vector<std::string>& parameters,
                                      const NoiseWeights& noise = {});

/// Directional derivative x·∇ of a formula: its rate of change when all states are scaled up. Throws NotDifferentiable.
Expression stretching(const Model& model, const Expression& formula);

}  // namespace gfdt::symbolic

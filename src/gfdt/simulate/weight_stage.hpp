#pragma once

#include "gfdt/simulate/scheme.hpp"

namespace gfdt::simulate {

/// The model without the weights among its states.
Model without_weights(const Model& weighted);

/// Appends a stage that advances the weights, dz = Σ⁺J·ΔW, to the stages of a scheme; the other states do not change.
/// The response of a step to a change J of the drift is J(x) dt to first order in dt; each function below gives it to
/// second order.
codegen::StepPlan with_weight_stage(const Model& weighted, codegen::StepPlan plan,
                                    const std::vector<Expression>& moves);

/// η_i = Σ_j Σ⁺_ji ΔW_j for each state; a weight changes by η·J.
std::vector<Expression> driving(const Model& own, const symbolic::LikelihoodWeights& weights);

/// Exact for Euler–Maruyama: J(x)·η.
std::vector<Expression> euler_moves(const Model& own, const symbolic::LikelihoodWeights& weights);

/// The drift part of the step changes by dt (I + ½dt ∇F) J(x + ½dt F) + O(dt³), and the noise is added afterwards. With
/// y₂ of the scheme, this gives
///   J(y₂)·(η + ½dt (∇F)ᵀη).
std::vector<Expression> runge_kutta_moves(const Model& own, const symbolic::LikelihoodWeights& weights,
                                          const std::vector<Field>& y2);

/// For additive noise and a predictor p that contains the noise of the step, integration by parts gives to second order
///   ½(J(x) + J(p))·η − ½dt ∇·J(p).
std::vector<Expression> predicted_moves(const Model& own, const symbolic::LikelihoodWeights& weights,
                                        const std::vector<Field>& p);

}  // namespace gfdt::simulate

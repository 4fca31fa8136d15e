#pragma once

#include "gfdt/simulate/scheme.hpp"

namespace gfdt::simulate {

/// The model without the weights among its states.
Model without_weights(const Model& weighted);

/// A stage that moves the weights, put behind those of the scheme for the other states, which stay what they are:
/// dz = Σ⁺J·ΔW. What the scheme makes of a change J of the drift in one step is known to first order in dt as J(x) dt,
/// to second order as said at each function.
codegen::StepPlan with_weight_stage(const Model& weighted, codegen::StepPlan plan,
                                    const std::vector<Expression>& moves);

/// η_i = Σ_j Σ⁺_ji ΔW_j of each state: the change of a weight is η·J.
std::vector<Expression> driving(const Model& own, const symbolic::LikelihoodWeights& weights);

/// Exact for Euler–Maruyama: J(x)·η.
std::vector<Expression> euler_moves(const Model& own, const symbolic::LikelihoodWeights& weights);

/// The drift's step Φ moves by dt (I + ½dt ∇F) J(x + ½dt F) + O(dt³), and the noise comes after it, so that with y₂ of
/// the scheme
///   J(y₂)·(η + ½dt (∇F)ᵀη).
std::vector<Expression> runge_kutta_moves(const Model& own, const symbolic::LikelihoodWeights& weights,
                                          const std::vector<Field>& y2);

/// For additive noise and a predictor p, which holds the noise of the step: by parts in it, to second order,
///   ½(J(x) + J(p))·η − ½dt ∇·J(p).
std::vector<Expression> predicted_moves(const Model& own, const symbolic::LikelihoodWeights& weights,
                                        const std::vector<Field>& p);

}  // namespace gfdt::simulate

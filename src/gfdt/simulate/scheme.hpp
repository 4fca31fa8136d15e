#pragma once

#include "gfdt/simulate/options.hpp"

namespace gfdt::simulate {

using symbolic::Expression;
using symbolic::Field;
using symbolic::Model;

/// Symbol of the time step in the formulas of a scheme.
inline constexpr const char* dt_name = ".dt";
inline Expression dt() { return Expression::symbol(dt_name); }

/// A plan with the states and noises of a model and without stages.
codegen::StepPlan empty_plan(const Model& model);

/// Formulas for one step of a scheme. Throws Error if the scheme cannot be used for the model.
codegen::StepPlan step_plan(const Model& model, Scheme scheme);

/// Noise increment Σ(x) ΔW of one state, as a formula of the state and the normals of the step.
Expression noise_increment(const Model& model, std::size_t state);

/// The fields of a stage: copies of the states with names `prefix.state`.
std::vector<Field> stage_fields(const Model& model, const std::string& prefix);

/// Evaluates a formula of the state at a stage.
Expression at_stage(const Model& model, const Expression& formula, const std::vector<Field>& stage);

/// Plan of the scheme of weak order 2; see weak2.cpp.
codegen::StepPlan weak2_plan(const Model& model);

/// Increments of likelihood-ratio weights in a step of this scheme, as formulas of the states, random numbers and
/// scratch fields of the plan.
std::vector<Expression> weak2_moves(const Model& model, const symbolic::LikelihoodWeights& weights);

}  // namespace gfdt::simulate

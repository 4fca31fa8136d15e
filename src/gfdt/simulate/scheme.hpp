#pragma once

#include "gfdt/simulate/options.hpp"

namespace gfdt::simulate {

using symbolic::Expression;
using symbolic::Field;
using symbolic::Model;

/// Symbol of the time step in the formulas of a scheme.
inline constexpr const char* dt_name = ".dt";
inline Expression dt() { return Expression::symbol(dt_name); }

/// A plan over the states and noises of a model, without stages yet.
codegen::StepPlan empty_plan(const Model& model);

/// One step of the scheme in the formulas of the model. Throws Error when the scheme cannot be used for it.
codegen::StepPlan step_plan(const Model& model, Scheme scheme);

/// Σ(x) ΔW of one state, as a formula of the state and the step's normals.
Expression noise_increment(const Model& model, std::size_t state);

/// The fields of a stage: the states under the name `prefix.state`.
std::vector<Field> stage_fields(const Model& model, const std::string& prefix);

/// A formula of the state evaluated at a stage.
Expression at_stage(const Model& model, const Expression& formula, const std::vector<Field>& stage);

/// The weak order 2 plan; see weak2.cpp.
codegen::StepPlan weak2_plan(const Model& model);

/// What a step of it adds to weights of likelihood ratios, in the states, random numbers and scratch fields of the
/// plan.
std::vector<Expression> weak2_moves(const Model& model, const symbolic::LikelihoodWeights& weights);

}  // namespace gfdt::simulate

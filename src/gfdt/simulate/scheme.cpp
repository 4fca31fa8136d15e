#include "gfdt/simulate/scheme.hpp"

#include "gfdt/simulate/weight_stage.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::simulate {
namespace {

using codegen::Assignment;
using codegen::StepPlan;

Assignment next_state(const Field& state, const Expression& value) {
  return {{codegen::next_name(state), state.indices}, value};
}

/// x + F dt + Σ ΔW
StepPlan euler_maruyama(const Model& model) {
  StepPlan plan = empty_plan(model);
  auto& stage = plan.stages.emplace_back();
  for (std::size_t i = 0; i < model.states.size(); ++i)
    stage.push_back(
        next_state(model.states[i], model.states[i].self() + dt() * model.drift[i] + noise_increment(model, i)));
  return plan;
}

/// Classical Runge–Kutta with y₂ = x + ½dt F(x), y₃ = x + ½dt F(y₂), y₄ = x + dt F(y₃):
///   x + dt/6 (k₁ + 2k₂ + 2k₃ + k₄) = (y₂ + 2y₃ + y₄ − x)/3 + dt/6 F(y₄),
/// which needs no running sum. The noise is evaluated at the left point.
StepPlan runge_kutta(const Model& model) {
  StepPlan plan = empty_plan(model);
  std::vector<Field> y2 = stage_fields(model, "y2"), y3 = stage_fields(model, "y3"), y4 = stage_fields(model, "y4");
  for (const auto* fields : {&y2, &y3, &y4}) plan.scratch.insert(plan.scratch.end(), fields->begin(), fields->end());
  plan.stages.resize(4);
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const Expression x = model.states[i].self(), f = model.drift[i];
    plan.stages[0].push_back({y2[i], x + 0.5 * dt() * f});
    plan.stages[1].push_back({y3[i], x + 0.5 * dt() * at_stage(model, f, y2)});
    plan.stages[2].push_back({y4[i], x + dt() * at_stage(model, f, y3)});
    plan.stages[3].push_back(next_state(model.states[i], (y2[i].self() + 2.0 * y3[i].self() + y4[i].self() - x) / 3.0 +
                                                             dt() / 6.0 * at_stage(model, f, y4) +
                                                             noise_increment(model, i)));
  }
  return plan;
}

}  // namespace

StepPlan empty_plan(const Model& model) {
  return {.index_order = model.indices,
          .states = model.states,
          .noises = model.noises,
          .signs = {},
          .scratch = {},
          .stages = {}};
}

Expression noise_increment(const Model& model, std::size_t state) {
  Expression total;
  for (const symbolic::DiffusionTerm& term : model.diffusion)
    if (term.state == state) total = total + symbolic::sqrt(dt()) * term.amplitude * term.noise_site;
  return total;
}

std::vector<Field> stage_fields(const Model& model, const std::string& prefix) {
  std::vector<Field> fields;
  for (const Field& state : model.states) fields.push_back({prefix + "." + state.name, state.indices});
  return fields;
}

Expression at_stage(const Model& model, const Expression& formula, const std::vector<Field>& stage) {
  std::map<std::string, Expression> replacements;
  for (std::size_t i = 0; i < stage.size(); ++i) replacements.emplace(model.states[i].name, stage[i].self());
  return symbolic::substitute(formula, replacements);
}

StepPlan step_plan(const Model& model, Scheme scheme) {
  const Model own = model.weights ? without_weights(model) : model;
  const symbolic::LikelihoodWeights* const weights = model.weights.get();
  StepPlan plan;
  std::vector<Expression> moves;
  switch (scheme) {
    case Scheme::euler_maruyama:
      plan = euler_maruyama(own);
      if (weights) moves = euler_moves(own, *weights);
      break;
    case Scheme::rk4:
      plan = runge_kutta(own);
      if (weights) moves = runge_kutta_moves(own, *weights, stage_fields(own, "y2"));
      break;
    case Scheme::weak2:
      plan = weak2_plan(own);
      if (weights) moves = weak2_moves(own, *weights);
      break;
  }
  return weights ? with_weight_stage(model, std::move(plan), moves) : plan;
}

}  // namespace gfdt::simulate

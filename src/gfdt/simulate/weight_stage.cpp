#include "gfdt/simulate/weight_stage.hpp"

#include "gfdt/expression/derivative.hpp"
#include "gfdt/expression/rewrite.hpp"
#include "gfdt/model/perturbation.hpp"

namespace gfdt::simulate {
namespace {

using model::LikelihoodWeights;
using model::sum_over_sites;

Expression dot(const Model& own, const std::vector<Expression>& a, const std::vector<Expression>& b) {
  Expression total;
  for (std::size_t i = 0; i < own.states.size(); ++i) total = total + sum_over_sites(own.states[i], a[i] * b[i]);
  return total;
}

std::vector<Expression> at_stage(const Model& own, const std::vector<Expression>& formulas,
                                 const std::vector<Field>& stage) {
  std::vector<Expression> result;
  for (const Expression& formula : formulas) result.push_back(simulate::at_stage(own, formula, stage));
  return result;
}

/// With common factors in front, so that those of parameters alone leave the sums over sites.
std::vector<Expression> collected(const Model& own, std::vector<Expression> formulas) {
  std::set<std::string> keep;
  for (const auto* fields : {&own.states, &own.noises})
    for (const Field& field : *fields) keep.insert(field.name);
  for (Expression& formula : formulas) formula = expression::collect_factors(formula, keep);
  return formulas;
}

/// (∇F)ᵀη, or nothing where the drift has jumps.
std::vector<Expression> pulled_back(const Model& own, const std::vector<Expression>& eta) {
  std::vector<Expression> fixed;
  std::map<std::string, Expression> meant;
  for (std::size_t i = 0; i < own.states.size(); ++i) {
    const Field field{"driving." + own.states[i].name, own.states[i].indices};
    fixed.push_back(field.self());
    meant.emplace(field.name, eta[i]);
  }
  std::vector<Expression> result;
  try {
    const Expression total = dot(own, own.drift, fixed);
    for (const Field& state : own.states)
      result.push_back(expression::substitute(expression::derivative(total, state.self()), meant));
  } catch (const expression::NotDifferentiable&) {
    result.assign(own.states.size(), 0.0);
  }
  return result;
}

}  // namespace

Model without_weights(const Model& weighted) {
  Model own = weighted;
  own.states.resize(weighted.own_states());
  own.drift.resize(own.states.size());
  own.initial.resize(own.states.size());
  own.weights = nullptr;
  return own;
}

kernel::StepPlan with_weight_stage(const Model& weighted, kernel::StepPlan plan, const std::vector<Expression>& moves) {
  auto& stage = plan.stages.emplace_back();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Field& weight = weighted.states[weighted.own_states() + i];
    plan.states.push_back(weight);
    stage.push_back({{kernel::next_name(weight), {}}, weight.self() + moves[i]});
  }
  return plan;
}

std::vector<Expression> driving(const Model& own, const LikelihoodWeights& weights) {
  std::vector<Expression> eta(own.states.size());
  for (const LikelihoodWeights::Inverse& entry : weights.inverse)
    eta[entry.state] = eta[entry.state] + expression::sqrt(dt()) * entry.value * own.noises[entry.noise].self();
  return eta;
}

std::vector<Expression> euler_moves(const Model& own, const LikelihoodWeights& weights) {
  const std::vector<Expression> eta = driving(own, weights);
  std::vector<Expression> moves;
  for (const auto& direction : weights.directions) moves.push_back(dot(own, eta, direction));
  return moves;
}

std::vector<Expression> runge_kutta_moves(const Model& own, const LikelihoodWeights& weights,
                                          const std::vector<Field>& y2) {
  std::vector<Expression> eta = driving(own, weights);
  const std::vector<Expression> back = pulled_back(own, eta);
  for (std::size_t i = 0; i < eta.size(); ++i) eta[i] = eta[i] + 0.5 * dt() * back[i];
  eta = collected(own, std::move(eta));
  std::vector<Expression> moves;
  for (const auto& direction : weights.directions)
    moves.push_back(dot(own, eta, at_stage(own, collected(own, direction), y2)));
  return moves;
}

std::vector<Expression> predicted_moves(const Model& own, const LikelihoodWeights& weights,
                                        const std::vector<Field>& p) {
  const std::vector<Expression> eta = driving(own, weights);
  std::vector<Expression> moves;
  for (const auto& direction : weights.directions) {
    std::vector<Expression> mean = at_stage(own, direction, p);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (direction[i] + mean[i]);
    moves.push_back(dot(own, eta, mean) - 0.5 * dt() * simulate::at_stage(own, model::divergence(own, direction), p));
  }
  return moves;
}

}  // namespace gfdt::simulate

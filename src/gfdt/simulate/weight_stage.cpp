#include "gfdt/simulate/weight_stage.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gfdt/codegen/program/nested_form.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::LikelihoodWeights;
using symbolic::sum_over_sites;

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

/// Computes η·J for directions that share products of states. Each shared product is summed over the sites of a field
/// only once; the remaining terms of a direction are summed together.
class SharedSums {
 public:
  SharedSums(const Model& own, std::vector<Expression> eta, const std::vector<std::vector<Expression>>& directions)
      : own_(own), eta_(std::move(eta)) {
    for (const auto* fields : {&own.states, &own.noises})
      for (const Field& field : *fields) varying_.insert(field.name);
    // Common factors are taken out so that factors of parameters alone can be moved out of the sums.
    for (Expression& component : eta_) component = symbolic::collect_factors(component, varying_);
    for (const auto& direction : directions)
      for (std::size_t i = 0; i < own.states.size(); ++i)
        for (const auto& [product, coefficient] : products_of(direction[i])) ++uses_[{i, product}];
  }

  Expression along(const std::vector<Expression>& direction, const std::vector<Field>& stage) const {
    Expression total;
    for (std::size_t i = 0; i < own_.states.size(); ++i) {
      const auto summed = [&](const Expression& formula) {
        return sum_over_sites(own_.states[i], eta_[i] * simulate::at_stage(own_, formula, stage));
      };
      Expression alone;
      for (const auto& [product, coefficient] : products_of(direction[i])) {
        if (own_.states[i].indices.empty() || uses_.at({i, product}) == 1)
          alone = alone + coefficient * product;
        else
          total = total + coefficient * summed(product);
      }
      total = total + summed(symbolic::collect_factors(alone, varying_));
    }
    return total;
  }

 private:
  /// Terms of a formula, each with its coefficient of parameters.
  std::vector<std::pair<Expression, Expression>> products_of(const Expression& formula) const {
    const auto uniform = [this](const Expression& e) {
      const std::set<std::string> names = symbolic::names_in(e);
      return std::ranges::none_of(names, [this](const std::string& name) { return varying_.contains(name); });
    };
    std::vector<std::pair<Expression, Expression>> result;
    const bool several = formula.kind() == symbolic::Kind::add;
    for (const Expression& term : several ? formula.operands() : std::span(&formula, 1)) {
      const codegen::ScaledTerm split = codegen::split_uniform(term, uniform);
      auto known = std::ranges::find(result, split.rest, &std::pair<Expression, Expression>::first);
      if (known == result.end()) known = result.insert(known, {split.rest, 0.0});
      known->second = known->second + split.coefficient;
    }
    return result;
  }

  struct Earlier {
    bool operator()(const std::pair<std::size_t, Expression>& a, const std::pair<std::size_t, Expression>& b) const {
      return a.first != b.first ? a.first < b.first : symbolic::precedes(a.second, b.second);
    }
  };

  const Model& own_;
  std::vector<Expression> eta_;
  std::set<std::string> varying_;
  std::map<std::pair<std::size_t, Expression>, int, Earlier> uses_;
};

/// (∇F)ᵀη; zero if the drift has jumps.
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
      result.push_back(symbolic::substitute(symbolic::derivative(total, state.self()), meant));
  } catch (const symbolic::NotDifferentiable&) {
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

codegen::StepPlan with_weight_stage(const Model& weighted, codegen::StepPlan plan,
                                    const std::vector<Expression>& moves) {
  auto& stage = plan.stages.emplace_back();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Field& weight = weighted.states[weighted.own_states() + i];
    plan.states.push_back(weight);
    stage.push_back({{codegen::next_name(weight), {}}, weight.self() + moves[i]});
  }
  return plan;
}

std::vector<Expression> driving(const Model& own, const LikelihoodWeights& weights) {
  std::vector<Expression> eta(own.states.size());
  for (const LikelihoodWeights::Inverse& entry : weights.inverse)
    eta[entry.state] = eta[entry.state] + symbolic::sqrt(dt()) * entry.value * own.noises[entry.noise].self();
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
  const SharedSums sums(own, std::move(eta), weights.directions);
  std::vector<Expression> moves;
  for (const auto& direction : weights.directions) moves.push_back(sums.along(direction, y2));
  return moves;
}

std::vector<Expression> predicted_moves(const Model& own, const LikelihoodWeights& weights,
                                        const std::vector<Field>& p) {
  const std::vector<Expression> eta = driving(own, weights);
  std::vector<Expression> moves;
  for (const auto& direction : weights.directions) {
    std::vector<Expression> mean = at_stage(own, direction, p);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (direction[i] + mean[i]);
    moves.push_back(dot(own, eta, mean) -
                    0.5 * dt() * simulate::at_stage(own, symbolic::divergence(own, direction), p));
  }
  return moves;
}

}  // namespace gfdt::simulate

#include "gfdt/model/likelihood_weights.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/core/error.hpp"
#include "gfdt/expression/derivative.hpp"
#include "gfdt/expression/rewrite.hpp"
#include "gfdt/model/noise_inverse.hpp"

namespace gfdt::model {
namespace {

bool holds_a_state(const Model& model, const Expression& formula) {
  const std::set<std::string> names = expression::names_in(formula);
  return std::ranges::any_of(model.states, [&](const Field& state) { return names.contains(state.name); });
}

/// κ of ∂Σ/∂θ = κΣ; 0 where θ is in no amplitude; none where it does not scale all of them alike.
std::optional<Expression> scaling(const Model& model, const Expression& theta) {
  std::optional<Expression> common;
  for (const DiffusionTerm& term : model.diffusion) {
    const Expression slope = expression::derivative(term.amplitude, theta);
    const Expression ratio = expression::collect_factors(slope) / expression::collect_factors(term.amplitude);
    if (holds_a_state(model, ratio) || !ratio.free_indices().empty() || (common && *common != ratio))
      return std::nullopt;
    common = ratio;
  }
  return common.value_or(0.0);
}

/// The change of the drift that changes the law as one of the parameter does.
struct Direction {
  std::vector<Expression> drift;
  std::string unavailable;
};

Direction direction_of(const Model& model, const std::string& parameter) {
  const Expression theta = Expression::symbol(model.parameter(parameter).name);
  Direction result;
  try {
    const std::optional<Expression> kappa = scaling(model, theta);
    if (!kappa) {
      result.unavailable = fmt::format("{} changes the noise, and not all of it by the same factor", parameter);
      return result;
    }
    for (const Expression& drift : model.drift)
      result.drift.push_back(expression::derivative(drift, theta) - 2.0 * *kappa * drift);
  } catch (const Error& error) {
    result.unavailable = error.what();
  }
  return result;
}

}  // namespace

WeightedModel with_likelihood_weights(const Model& model, const std::vector<std::string>& parameters) {
  if (model.time_state)
    throw Error(
        "The likelihood ratio is for models that do not depend on time; 'gfdt response' has the responses of those "
        "that do.");
  const NoiseInverse inverse = noise_inverse(model);
  WeightedModel result{model, {}};
  auto weights = std::make_shared<LikelihoodWeights>();
  weights->inverse = inverse.entries;
  for (const std::string& parameter : parameters) {
    WeightColumn& column = result.columns.emplace_back(WeightColumn{parameter, {}, {}});
    Direction direction = direction_of(model, parameter);
    column.unavailable = direction.unavailable;
    if (!column.unavailable.empty()) continue;
    if (std::ranges::all_of(direction.drift, [](const Expression& e) { return e.is_number(0); })) continue;
    if (const std::string why = inverse.obstacle(model, direction.drift); !why.empty()) {
      column.unavailable = fmt::format("the likelihood ratio needs noise wherever {} acts, and {}", parameter, why);
      continue;
    }
    column.weight = weights->directions.size();
    weights->directions.push_back(std::move(direction.drift));
    result.model.states.push_back({"weight." + parameter, {}});
    result.model.drift.emplace_back(0.0);
    result.model.initial.push_back({.mean = 0, .std = 0});
  }
  if (!weights->directions.empty()) result.model.weights = std::move(weights);
  return result;
}

}  // namespace gfdt::model

#include "gfdt/symbolic/derived/likelihood_weights.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/derived/noise_inverse.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

bool holds_a_state(const Model& model, const Expression& formula) {
  const std::set<std::string> names = symbolic::names_in(formula);
  return std::ranges::any_of(model.states, [&](const Field& state) { return names.contains(state.name); });
}

/// κ with ∂Σ/∂θ = κΣ: 0 if no amplitude contains θ; nothing if θ does not scale all amplitudes by the same factor.
std::optional<Expression> scaling(const Model& model, const Expression& theta) {
  std::optional<Expression> common;
  for (const DiffusionTerm& term : model.diffusion) {
    const Expression slope = symbolic::derivative(term.amplitude, theta);
    const Expression ratio = symbolic::collect_factors(slope) / symbolic::collect_factors(term.amplitude);
    if (holds_a_state(model, ratio) || !ratio.free_indices().empty() || (common && *common != ratio))
      return std::nullopt;
    common = ratio;
  }
  return common.value_or(0.0);
}

/// Multiplies out products so that equal products of states can be combined; returns the formula unchanged if the
/// result has too many terms.
Expression merged(const Expression& formula) {
  constexpr std::size_t most_terms = 64, most_on_the_way = 16 * most_terms;
  const Expression expanded = symbolic::expand(formula, most_on_the_way);
  return expanded.operands().size() <= most_terms ? expanded : formula;
}

/// Adds likelihood-ratio weights to a model, one parameter at a time.
class Weighting {
 public:
  Weighting(const Model& model, const NoiseWeights& noise)
      : inverse_(noise_inverse(model)), noise_(noise), own_(model), result_{model, {}} {
    additive_ = std::ranges::none_of(model.diffusion,
                                     [&](const DiffusionTerm& term) { return holds_a_state(model, term.amplitude); });
    weights_->inverse = inverse_.entries;
  }

  void add(const std::string& parameter) {
    WeightColumn& column = result_.columns.emplace_back(WeightColumn{.parameter = parameter});
    try {
      derive(column, Expression::symbol(own_.parameter(parameter).name));
    } catch (const NotDifferentiable& error) {
      column.unavailable = error.what();
    }
  }

  WeightedModel finish() {
    if (!weights_->directions.empty()) result_.model.weights = std::move(weights_);
    return std::move(result_);
  }

 private:
  void derive(WeightColumn& column, const Expression& theta) {
    const std::optional<Expression> kappa = scaling(own_, theta);
    if (!kappa) {
      column.unavailable = fmt::format("{} changes the noise, and not all of it by the same factor", column.parameter);
      return;
    }
    column.kappa = *kappa;
    std::vector<Expression> direction;
    for (const Expression& drift : own_.drift)
      direction.push_back(symbolic::derivative(drift, theta) - 2.0 * *kappa * drift);
    if (std::ranges::all_of(direction, [](const Expression& e) { return e.is_number(0); })) return;
    if (const std::string why = inverse_.obstacle(own_, direction); !why.empty()) {
      column.unavailable =
          fmt::format("the likelihood ratio needs noise wherever {} acts, and {}", column.parameter, why);
      return;
    }
    if (noise_.stretched && additive_ && !kappa->is_number(0)) stretch(column, direction);
    if (noise_.plain || !column.stretched) column.weight = put("weight." + column.parameter, std::move(direction));
  }

  void stretch(WeightColumn& column, std::vector<Expression> direction) {
    std::vector<Expression> more;
    for (const Expression& drift : own_.drift) more.push_back(column.kappa * (drift + stretching(own_, drift)));
    if (!inverse_.obstacle(own_, more).empty()) return;
    column.overlap = noise_product(direction, more);
    column.square = noise_product(more, more);
    column.share = "share." + column.parameter;
    result_.model.parameters.push_back({.name = column.share, .value = 0});
    for (std::size_t i = 0; i < more.size(); ++i)
      direction[i] = merged(direction[i] + Expression::symbol(column.share) * more[i]);
    column.stretched = put("stretched." + column.parameter, std::move(direction));
  }

  /// a·b, where the noise increments a and b produce two given changes of the drift.
  Expression noise_product(const std::vector<Expression>& a, const std::vector<Expression>& b) const {
    Expression total;
    for (std::size_t noise = 0; noise < own_.noises.size(); ++noise) {
      Expression of_a, of_b;
      for (const NoiseInverse::Entry& entry : inverse_.entries)
        if (entry.noise == noise) {
          of_a = of_a + entry.value * a[entry.state];
          of_b = of_b + entry.value * b[entry.state];
        }
      total = total + sum_over_sites(own_.noises[noise], of_a * of_b);
    }
    return total;
  }

  std::size_t put(const std::string& name, std::vector<Expression> direction) {
    result_.model.states.push_back({name, {}});
    result_.model.drift.emplace_back(0.0);
    result_.model.initial.push_back({.mean = 0, .std = 0});
    weights_->directions.push_back(std::move(direction));
    return weights_->directions.size() - 1;
  }

  NoiseInverse inverse_;
  NoiseWeights noise_;
  const Model& own_;
  bool additive_ = false;
  WeightedModel result_;
  std::shared_ptr<LikelihoodWeights> weights_ = std::make_shared<LikelihoodWeights>();
};

}  // namespace

Expression stretching(const Model& model, const Expression& formula) {
  std::map<std::string, Expression> outwards;
  for (std::size_t i = 0; i < model.own_states(); ++i) outwards.emplace(model.states[i].name, model.states[i].self());
  return symbolic::directional_derivative(formula, outwards);
}

WeightedModel with_likelihood_weights(const Model& model, const std::vector<std::string>& parameters,
                                      const NoiseWeights& noise) {
  if (model.time_state)
    throw Error(
        "The likelihood ratio is for models that do not depend on time; 'gfdt response' has the responses of those "
        "that do.");
  Weighting weighting(model, noise);
  for (const std::string& parameter : parameters) weighting.add(parameter);
  return weighting.finish();
}

}  // namespace gfdt::symbolic

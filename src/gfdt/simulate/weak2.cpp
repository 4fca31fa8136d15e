// A scheme of weak order 2 for dx = F dt + Σ_j b_j dW_j, without second derivatives. With L_j = b_j·∇,
//
//   p  = x + F dt + Σ b_j ΔW_j                      predictor
//   y± = x + F dt ± Σ b_j √dt ζ_j                   ζ_j = ±1, independent of ΔW
//   x' = x + ½dt (F(x) + F(p))
//          + Σ_j ¼ (2 b_j(x) + b_j(y₊) + b_j(y₋)) ΔW_j
//          + ½ Σ_{i,j} L_i b_j(x) (ΔW_i ΔW_j + V_ij)
//
// with V_jj = −dt and V_ij = −V_ji = ±dt with equal probability for i < j. The mean of F(p) contains ½dt² L⁰F, the mean
// of b_j(y±) over ζ contains ½dt ΔW_j L⁰b_j, and the last line represents the double integrals I_ij. These are the
// moments of the weak Taylor scheme of order 2 (Kloeden and Platen 1992, section 14.2). For additive noise the scheme
// reduces to Heun's method with noise.
//
// Likelihood-ratio weights are driven by the same noise, dz = Σ_j a_j dW_j. Only means of products that are linear in z
// are used. Signs V that the states do not need are therefore replaced by their mean, zero.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/simulate/weight_stage.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::simulate {
namespace {

using codegen::StepPlan;
using symbolic::DiffusionTerm;
using symbolic::Kind;
using symbolic::SiteIndex;

bool has_sum_of(const Expression& e, const std::set<std::string>& names) {
  return std::ranges::any_of(symbolic::sums_in(e), [&](const Expression& sum) {
    const std::set<std::string> inside = symbolic::names_in(sum);
    return std::ranges::any_of(names, [&](const std::string& name) { return inside.contains(name); });
  });
}

class Weak2 {
 public:
  explicit Weak2(const Model& model) : model_(model) {
    for (const Field& state : model.states) state_names_.insert(state.name);
    plan_ = empty_plan(model);
  }

  StepPlan plan() {
    plan_.stages.resize(2);
    std::vector<Field> a = scratch("a"), p = scratch("p");
    const bool additive = this->additive();
    std::vector<Field> plus, minus;
    if (!additive) {
      plus = scratch("plus");
      minus = scratch("minus");
      for (const Field& noise : model_.noises) plan_.signs.push_back({"zeta." + noise.name, noise.indices});
    }
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      Expression x = model_.states[i].self(), f = model_.drift[i], noise = noise_increment(model_, i);
      Expression next = a[i].self() + 0.5 * dt() * at_stage(model_, f, p);
      plan_.stages[0].push_back({p[i], x + dt() * f + noise});
      if (additive) {
        plan_.stages[0].push_back({a[i], x + 0.5 * dt() * f + noise});
      } else {
        Expression spread = two_point_increment(i);
        plan_.stages[0].push_back({a[i], x + 0.5 * dt() * f + 0.5 * noise + double_integrals(i)});
        plan_.stages[0].push_back({plus[i], x + dt() * f + spread});
        plan_.stages[0].push_back({minus[i], x + dt() * f - spread});
        next = next + 0.25 * (at_stage(model_, noise, plus) + at_stage(model_, noise, minus));
      }
      plan_.stages[1].push_back({{codegen::next_name(model_.states[i]), model_.states[i].indices}, next});
    }
    return plan_;
  }

  /// Call after `plan`.
  std::vector<Expression> moves(const symbolic::LikelihoodWeights& weights) {
    if (additive()) return predicted_moves(model_, weights, stage_fields(model_, "p"));
    all_signs_ = true;
    std::vector<Expression> result;
    for (const auto& direction : weights.directions) {
      Expression& total = result.emplace_back();
      for (std::size_t noise = 0; noise < model_.noises.size(); ++noise) {
        Expression amplitude;
        for (const symbolic::LikelihoodWeights::Inverse& entry : weights.inverse)
          if (entry.noise == noise) amplitude = amplitude + entry.value * direction[entry.state];
        if (amplitude.is_number(0)) continue;
        // The state index of this term is not used, because the term belongs to a weight.
        const DiffusionTerm term{model_.states.size(), noise, model_.noises[noise].self(), amplitude};
        total = total + symbolic::sum_over_sites(model_.noises[noise], weight_increment(term));
      }
    }
    return result;
  }

 private:
  bool additive() const {
    return std::ranges::none_of(model_.diffusion, [this](const DiffusionTerm& t) { return multiplicative(t); });
  }

  /// ¼ (2 a_j(x) + a_j(y₊) + a_j(y₋)) ΔW_j + ½ Σ_i L_i a_j (ΔW_i ΔW_j + V_ij)
  Expression weight_increment(const DiffusionTerm& term) {
    const Expression& a = term.amplitude;
    const Expression mean = 0.25 * (2.0 * a + at_stage(model_, a, stage_fields(model_, "plus")) +
                                    at_stage(model_, a, stage_fields(model_, "minus")));
    return symbolic::sqrt(dt()) * term.noise_site * mean + double_integrals_of(term);
  }

  std::vector<Field> scratch(const std::string& prefix) {
    std::vector<Field> fields = stage_fields(model_, prefix);
    plan_.scratch.insert(plan_.scratch.end(), fields.begin(), fields.end());
    return fields;
  }

  bool multiplicative(const DiffusionTerm& term) const {
    std::set<std::string> names = symbolic::names_in(term.amplitude);
    return std::ranges::any_of(state_names_, [&](const std::string& name) { return names.contains(name); });
  }

  /// Σ_j b_j √dt ζ_j of one state.
  Expression two_point_increment(std::size_t state) const {
    std::map<std::string, Expression> zeta;
    for (const Field& noise : model_.noises)
      zeta.emplace(noise.name, Field{"zeta." + noise.name, noise.indices}.self());
    Expression total;
    for (const DiffusionTerm& term : model_.diffusion)
      if (term.state == state)
        total = total + symbolic::sqrt(dt()) * term.amplitude * symbolic::substitute(term.noise_site, zeta);
    return total;
  }

  /// ½ Σ_{i,j} L_i b_j (ΔW_i ΔW_j + V_ij) of one state. The first part is a single directional derivative, in the
  /// direction Σ b_i ΔW_i.
  Expression double_integrals(std::size_t state) {
    Expression total;
    for (const DiffusionTerm& term : model_.diffusion)
      if (term.state == state) total = total + double_integrals_of(term);
    return total;
  }

  Expression double_integrals_of(const DiffusionTerm& term) {
    if (!multiplicative(term)) return 0.0;
    if (has_sum_of(term.amplitude, state_names_))
      throw Error(
          fmt::format("The scheme weak2 cannot be used{}: the amplitude of a noise depends on a sum over sites. Use "
                      "euler-maruyama.",
                      all_signs_ ? " for likelihood ratios of this model" : ""));
    std::map<std::string, Expression> direction;
    for (std::size_t i = 0; i < model_.states.size(); ++i)
      direction.emplace(model_.states[i].name, noise_increment(model_, i));
    Expression increment = symbolic::sqrt(dt()) * term.noise_site;
    Expression total = 0.5 * increment * symbolic::directional_derivative(term.amplitude, direction);
    for (const Field& field : model_.states)
      for (const Expression& site : sites_of(term.amplitude, field))
        total = total + antisymmetric_part(term, field, site);
    return total;
  }

  std::vector<Expression> sites_of(const Expression& formula, const Field& field) const {
    if (field.indices.empty())
      return symbolic::depends_on(formula, field.name) ? std::vector{field.self()} : std::vector<Expression>{};
    return symbolic::open_sites(formula, field.name);
  }

  /// ½ Σ_i ∂b_j/∂x b_i(x) V_ij over the noises i that drive the state x at `site`.
  Expression antisymmetric_part(const DiffusionTerm& term, const Field& field, const Expression& site) {
    Expression slope = symbolic::derivative(term.amplitude, site), total;
    for (const DiffusionTerm& source : model_.diffusion) {
      if (model_.states[source.state].name != field.name) continue;
      Expression source_noise = symbolic::at_site(site, source.noise_site);
      Expression v =
          source_noise == term.noise_site ? -1.0 : two_point(source.noise, source_noise, term.noise, term.noise_site);
      total = total + 0.5 * dt() * slope * symbolic::at_site(site, source.amplitude) * v;
    }
    return total;
  }

  /// Sign of V for an ordered pair of noises at two sites: one random field per unordered pair of noises and relative
  /// site. The field has the indices of both noises and is stored at the site of the first.
  Expression two_point(std::size_t noise_a, const Expression& a, std::size_t noise_b, const Expression& b) {
    std::vector<SiteIndex> home = indices_of(a);
    std::vector<int> relative, opposite;
    for (const SiteIndex& i : indices_of(b)) {
      auto shared = std::ranges::find(home, i.index, &SiteIndex::index);
      if (shared == home.end()) {
        home.push_back(i);
      } else {
        relative.push_back(normal_offset(i.index, i.offset - shared->offset));
        opposite.push_back(normal_offset(i.index, shared->offset - i.offset));
      }
    }
    if (noise_a == noise_b && relative == opposite && all_signs_) return 0.0;
    if (noise_a == noise_b && relative == opposite)
      throw Error(
          "The scheme weak2 cannot be used: noises of sites half a period apart act on each other. Use "
          "euler-maruyama.");
    if (noise_a > noise_b || (noise_a == noise_b && relative < opposite)) return -two_point(noise_b, b, noise_a, a);
    Field field{fmt::format("v.{}.{}", noise_a, noise_b), {}};
    for (int offset : relative) field.name += fmt::format(".{}", offset);
    for (const SiteIndex& i : home) field.indices.push_back(i.index);
    if (std::ranges::find(plan_.signs, field.name, &Field::name) == plan_.signs.end()) {
      if (all_signs_) return 0.0;
      plan_.signs.push_back(field);
    }
    return home.empty() ? field.self() : Expression::site(field.name, home);
  }

  static std::vector<SiteIndex> indices_of(const Expression& noise) {
    if (noise.kind() != Kind::site) return {};
    return {noise.indices().begin(), noise.indices().end()};
  }

  /// Offsets that are equal modulo the size are represented by the one of smallest magnitude.
  static int normal_offset(const symbolic::Index& index, int offset) {
    return Expression::site("-", {{index, offset}}).indices()[0].offset;
  }

  const Model& model_;
  std::set<std::string> state_names_;
  StepPlan plan_;
  bool all_signs_ = false;  ///< the signs of the plan are complete
};

}  // namespace

StepPlan weak2_plan(const Model& model) { return Weak2(model).plan(); }

std::vector<Expression> weak2_moves(const Model& model, const symbolic::LikelihoodWeights& weights) {
  Weak2 scheme(model);
  scheme.plan();
  return scheme.moves(weights);
}

}  // namespace gfdt::simulate

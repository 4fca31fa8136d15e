#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gfdt/base/nearest.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/model/angles.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/model/scope.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::parse;

/// Index of the entry of `fields` with a given key, such as `X` or `X[k]`.
std::size_t field_named(const Text& key, const std::vector<Field>& fields, const std::string& what) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (key.text == fields[i].name || key.text == fields[i].label()) return i;
    names.push_back(fields[i].name);
  }
  throw InputError(fmt::format("'{}' is not a {} of the model.{}", key.text, what, suggestion(key.text, names)),
                   key.origin);
}

constexpr int most_variables = 1 << 24;

class Builder {
 public:
  explicit Builder(const Description& description) : description_(description) {}

  Model build() {
    if (time_dependent()) declare_time();
    for (const SitesText& sites : description_.sites) scope_.add_index(sites);
    model_.indices = scope_.indices();
    declare_states();
    declare_parameters();
    for (const NamedText& formula : description_.formulas) scope_.add_formula(formula);
    for (const NamedText& formula : description_.formulas) scope_.find(scope_.declare(formula.name).name);
    read_drift();
    read_diffusion();
    read_initial();
    read_observables();
    for (const NamedText& formula : description_.coordinates) scope_.add_formula(formula);
    for (const NamedText& formula : description_.coordinates)
      model_.coordinates.push_back(scope_.find(scope_.declare(formula.name).name)->formula);
    if (time_dependent()) add_time();
    model_.angles = find_angles(model_);
    return std::move(model_);
  }

 private:
  bool time_dependent() const { return description_.time || description_.period; }

  void declare_time() {
    if (description_.period && !(std::isfinite(*description_.period) && *description_.period > 0))
      throw Error(fmt::format("The period is {}; it must be a positive time.", *description_.period));
    const auto refuse = [](const auto& items, auto name_of) {
      for (const auto& item : items)
        if (const Text& name = name_of(item); name.text.substr(0, name.text.find_first_of(" [")) == time_name)
          throw InputError(
              fmt::format("'{}' is the time in this model and cannot be the name of anything else.", time_name),
              name.origin);
    };
    const auto name_of = [](const auto& item) -> const Text& { return item.name; };
    refuse(description_.sites, name_of);
    refuse(description_.states, [](const Text& label) -> const Text& { return label; });
    refuse(description_.parameters, name_of);
    refuse(description_.formulas, name_of);
    refuse(description_.observables, name_of);
    refuse(description_.coordinates, name_of);
    scope_.add(time_name, Definition{{}, Expression::symbol(time_name)});
  }

  void add_time() {
    model_.time_state = model_.states.size();
    model_.period = description_.period;
    model_.states.push_back({time_name, {}});
    model_.drift.emplace_back(1);
    model_.initial.push_back({0, 0});
  }

  void declare_states() {
    if (description_.states.empty()) throw Error("The model has no state variable.");
    double sites = 0;
    for (const Text& label : description_.states) {
      Field state = scope_.declare(label);
      scope_.add({state.name, label.origin}, Definition{state.indices, state.self()});
      double own = 1;
      for (const Index& index : state.indices) own *= index.size;
      if ((sites += own) > most_variables)
        throw InputError(fmt::format("The model has more than {} state variables.", most_variables), label.origin);
      model_.states.push_back(state);
    }
  }

  void declare_parameters() {
    for (const ParameterText& p : description_.parameters) {
      scope_.add(p.name, Definition{{}, Expression::symbol(p.name.text)});
      if (!std::isfinite(p.value))
        throw InputError(fmt::format("The value of parameter '{}' is not a finite number.", p.name.text),
                         p.name.origin);
      if (std::isnan(p.lower) || std::isnan(p.upper) || !(p.lower <= p.value && p.value <= p.upper))
        throw InputError(fmt::format("The value {} of parameter '{}' is not within its bounds [{}, {}].", p.value,
                                     p.name.text, p.lower, p.upper),
                         p.name.origin);
      model_.parameters.push_back({p.name.text, p.value, p.lower, p.upper});
    }
  }

  void read_drift() {
    std::vector<const NamedText*> given(model_.states.size(), nullptr);
    for (const NamedText& entry : description_.drift) {
      std::size_t i = field_named(entry.name, model_.states, "state");
      if (given[i])
        throw InputError(fmt::format("The drift of '{}' is given twice.", entry.name.text), entry.name.origin);
      given[i] = &entry;
    }
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      const Field& state = model_.states[i];
      if (!given[i])
        throw InputError(fmt::format("The state '{}' has no drift.", state.name), description_.states[i].origin);
      model_.drift.push_back(parse(given[i]->formula.text, scope_, given[i]->formula.origin, state.indices));
    }
  }

  void read_diffusion() {
    std::vector<bool> given(model_.states.size(), false);
    for (const DiffusionText& entry : description_.diffusion) {
      std::size_t i = field_named(entry.state, model_.states, "state");
      if (given[i])
        throw InputError(fmt::format("The diffusion of '{}' is given twice.", entry.state.text), entry.state.origin);
      given[i] = true;
      for (const NamedText& term : entry.terms) add_term(i, term);
    }
  }

  void add_term(std::size_t state_number, const NamedText& term) {
    const Field& state = model_.states[state_number];
    Expression amplitude = parse(term.formula.text, scope_, term.formula.origin, state.indices);
    if (amplitude.is_number(0)) return;
    if (term.name.text.empty()) {
      Field own{"w." + state.name, state.indices};
      if (own_noise_.contains(state.name))
        throw InputError(fmt::format("The noise of '{}' is given twice.", state.name), term.formula.origin);
      if (std::ranges::find(model_.noises, own.name, &Field::name) != model_.noises.end())
        fail_taken_noise(state.name, term.formula.origin);
      own_noise_.insert(state.name);
      model_.noises.push_back(own);
      model_.diffusion.push_back({state_number, model_.noises.size() - 1, own.self(), amplitude});
      return;
    }
    auto [noise, site] = noise_of(term.name, state);
    for (const DiffusionTerm& other : model_.diffusion)
      if (other.state == state_number && other.noise_site == site)
        throw InputError(fmt::format("The noise '{}' of '{}' is given twice.", term.name.text, state.name),
                         term.name.origin);
    model_.diffusion.push_back({state_number, noise, site, amplitude});
  }

  [[noreturn]] static void fail_taken_noise(const std::string& name, const Origin& origin) {
    throw InputError(fmt::format("The state '{0}' has a noise of its own: no other noise can be called '{0}'.", name),
                     origin);
  }

  /// Index and site of a named noise: `w1` is one Wiener process for all sites, `w[k+1]` one per site. The first use of
  /// a noise declares it.
  std::pair<std::size_t, Expression> noise_of(const Text& label, const Field& state) {
    std::size_t bracket = label.text.find('[');
    std::string name = label.text.substr(0, bracket);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (own_noise_.contains(name)) fail_taken_noise(name, label.origin);
    Field noise{"w." + name, {}};
    if (bracket != std::string::npos) noise.indices = state.indices;
    auto known = std::ranges::find(model_.noises, noise.name, &Field::name);
    if (known == model_.noises.end()) {
      if (!symbolic::is_name(name))
        throw InputError(fmt::format("'{}' is not a name for a noise.", name), label.origin);
      model_.noises.push_back(noise);
      known = model_.noises.end() - 1;
    } else if (known->indices != noise.indices) {
      throw InputError(fmt::format("The noise '{}' is used with different indices: here as '{}', before as '{}'.", name,
                                   label.text, known->label().substr(2)),
                       label.origin);
    }
    if (bracket == std::string::npos) return {static_cast<std::size_t>(known - model_.noises.begin()), noise.self()};
    Expression site = parse(label.text, NoiseScope(scope_, name, noise), label.origin, state.indices);
    if (site.kind() != Kind::site)
      throw InputError(fmt::format("'{}' is not one site of a noise, as in {}.", label.text, noise.label().substr(2)),
                       label.origin);
    return {static_cast<std::size_t>(known - model_.noises.begin()), site};
  }

  /// Scope of a noise label, which contains only the noise itself and the indices.
  class NoiseScope : public Scope {
   public:
    NoiseScope(const ModelScope& scope, std::string name, Field noise)
        : scope_(scope), name_(std::move(name)), noise_(std::move(noise)) {}
    std::optional<Definition> find(const std::string& name) const override {
      if (name != name_) return std::nullopt;
      return Definition{noise_.indices, noise_.self()};
    }
    std::optional<Index> index(const std::string& name) const override { return scope_.index(name); }
    std::vector<std::string> names() const override { return {name_}; }

   private:
    const ModelScope& scope_;
    std::string name_;
    Field noise_;
  };

  void read_initial() {
    model_.initial.resize(model_.states.size());
    std::vector<bool> given(model_.states.size(), false);
    for (const InitialText& entry : description_.initial) {
      std::size_t i = field_named(entry.state, model_.states, "state");
      if (given[i])
        throw InputError(fmt::format("The initial distribution of '{}' is given twice.", entry.state.text),
                         entry.state.origin);
      given[i] = true;
      if (!std::isfinite(entry.law.mean) || !std::isfinite(entry.law.std) || entry.law.std < 0)
        throw InputError(
            fmt::format("The initial distribution of '{}' needs a finite mean and a finite std that is not negative.",
                        entry.state.text),
            entry.state.origin);
      model_.initial[i] = entry.law;
    }
  }

  /// Observables may refer to each other in any order, but the model may not refer to observables.
  void read_observables() {
    for (const NamedText& observable : description_.observables) scope_.add_observable(observable);
    for (const NamedText& observable : description_.observables) {
      Field target = scope_.declare(observable.name);
      if (!target.indices.empty())
        throw InputError(fmt::format("The observable '{}' is one number; average over sites with mean(k, ...).",
                                     observable.name.text),
                         observable.name.origin);
      model_.observables.push_back({target.name, scope_.find(target.name)->formula});
    }
  }

  const Description& description_;
  ModelScope scope_;
  Model model_;
  std::set<std::string> own_noise_;  ///< states with a noise of their own
};

}  // namespace

Model build(const Description& description) { return Builder(description).build(); }

}  // namespace gfdt::symbolic

#include "gfdt/control_variate/dictionary/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/model/angles.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::control_variate {
namespace {

using symbolic::Function;
using symbolic::Kind;

/// With more atoms, dictionaries would be too large to fit.
constexpr std::size_t most_atoms = 6;

std::vector<Expression> sites_in(const Expression& formula, const symbolic::Field& field) {
  if (!field.indices.empty()) return symbolic::open_sites(formula, field.name);
  return symbolic::depends_on(formula, field.name) ? std::vector{field.self()} : std::vector<Expression>{};
}

/// Collects the nonlinear functions of the state that occur in formulas.
class AtomSearch {
 public:
  AtomSearch(const symbolic::Model& model, std::vector<Coordinate>& found)
      : model_(model), generator_(generator(model)), found_(found) {}

  void look(const Expression& formula) {
    if (!seen_.insert(formula.identity()).second || !of_state(formula)) return;
    if (formula.kind() == Kind::call)
      look_at_call(formula);
    else if (formula.kind() == Kind::power && !polynomial(formula))
      add(Coordinate::Shape::atom, formula);
    for (const Expression& part : formula.operands()) look(part);
  }

  void add(Coordinate::Shape shape, const Expression& inner) {
    const Expression home = at_home(inner);
    if (found_.size() >= model_.states.size() + most_atoms || !local(home)) return;
    const Expression gate = shape == Coordinate::Shape::ramp ? positive(home) : Expression(1.0);
    for (const Coordinate& known : found_)
      if (known.inner == home && known.shape == shape) return;
    Coordinate coordinate{shape, symbolic::abbreviated(home), gate, home};
    if (twice_differentiable(coordinate)) found_.push_back(std::move(coordinate));
  }

 private:
  /// False for functions that have kinks themselves: L of such a function contains delta functions that samples do not
  /// show.
  bool twice_differentiable(const Coordinate& coordinate) const {
    try {
      applied(model_, generator_, coordinate);
      return true;
    } catch (const symbolic::NotDifferentiable&) {
      return false;
    }
  }

  static Expression positive(const Expression& h) { return symbolic::call(Function::less, {0.0, h}); }

  static bool polynomial(const Expression& power) {
    const Expression& exponent = power.operands()[1];
    return exponent.is_number() && exponent.value() >= 0 && exponent.value() == std::floor(exponent.value());
  }

  bool of_state(const Expression& formula) const {
    return std::ranges::any_of(model_.states,
                               [&](const symbolic::Field& state) { return symbolic::depends_on(formula, state.name); });
  }

  /// Whether the formula depends on a single site of a ring; always true without a lattice.
  bool local(const Expression& formula) const {
    if (sites_of(model_) == 1) return true;
    if (formula.free_indices().size() != 1) return false;
    for (const symbolic::Field& state : model_.states)
      for (const Expression& site : sites_in(formula, state))
        if (site.indices()[0].offset != 0) return false;
    return symbolic::sums_in(formula).empty();
  }

  /// The formula shifted along the ring so that its first site has offset 0.
  Expression at_home(const Expression& formula) const {
    if (sites_of(model_) == 1 || formula.free_indices().empty()) return formula;
    for (const symbolic::Field& state : model_.states) {
      const std::vector<Expression> sites = sites_in(formula, state);
      if (!sites.empty()) return symbolic::shift(formula, state.indices[0].name, -sites.front().indices()[0].offset);
    }
    return formula;
  }

  void look_at_call(const Expression& call) {
    const auto operands = call.operands();
    switch (call.function()) {
      case Function::abs:
      case Function::sign:
        add(Coordinate::Shape::ramp, operands[0]);
        break;
      case Function::min:
      case Function::max:
      case Function::less:
      case Function::less_equal:
        add(Coordinate::Shape::ramp, operands[1] - operands[0]);
        break;
      case Function::equal:
      case Function::logical_and:
      case Function::logical_or:
      case Function::logical_not:
        break;
      default:
        add(Coordinate::Shape::atom, call);
    }
  }

  const symbolic::Model& model_;
  Operator generator_;
  std::vector<Coordinate>& found_;
  std::unordered_set<const symbolic::Node*> seen_;
};

}  // namespace

bool has_dictionary(const symbolic::Model& model) {
  if (model.time_state || model.states.empty()) return false;
  const auto& indices = model.states[0].indices;
  return indices.size() <= 1 &&
         std::ranges::all_of(model.states, [&](const symbolic::Field& state) { return state.indices == indices; });
}

int sites_of(const symbolic::Model& model) { return model.states.at(0).sites(); }

std::vector<Coordinate> coordinates_of(const symbolic::Model& model) {
  std::vector<Coordinate> result;
  for (std::size_t i = 0; i < model.states.size(); ++i)
    if (const symbolic::Field& state = model.states[i]; !model.is_angle(i))
      result.push_back({Coordinate::Shape::state, state.label(), 1.0, state.self()});
  AtomSearch search(model, result);
  for (std::size_t i = 0; i < model.states.size(); ++i)
    if (model.is_angle(i))
      for (const symbolic::StateFunction& function : symbolic::settling_functions(model, i))
        search.add(Coordinate::Shape::atom, function.formula);
  for (const Expression& addition : model.coordinates) search.add(Coordinate::Shape::atom, addition);
  for (const Expression& drift : model.drift) search.look(drift);
  for (const symbolic::DiffusionTerm& term : model.diffusion) search.look(term.amplitude);
  for (const symbolic::Observable& observable : model.observables) search.look(observable.formula);
  return result;
}

Operator generator(const symbolic::Model& model) { return {model.drift, symbolic::diffusion_matrix(model)}; }

Expression applied(const symbolic::Model& model, const Operator& op, const Coordinate& y) {
  std::map<std::string, Expression> direction;
  for (std::size_t i = 0; i < model.states.size(); ++i) direction.emplace(model.states[i].name, op.drift[i]);
  Expression total = symbolic::directional_derivative(y.inner, direction);
  for (const symbolic::MatrixEntry& entry : op.diffusion)
    for (const Expression& site : sites_in(y.inner, model.states[entry.row])) {
      const Expression slope = symbolic::derivative(y.inner, site);
      const Expression column = symbolic::at_site(site, entry.column_site);
      total = total + 0.5 * symbolic::at_site(site, entry.value) * symbolic::derivative(slope, column);
    }
  return y.gate * total;
}

Expression coupling(const symbolic::Model& model, const Operator& op, const Coordinate& y, const Coordinate& z,
                    int offset) {
  const auto moved = [&](const Expression& formula) {
    return offset == 0 ? formula : symbolic::shift(formula, model.states[0].indices[0].name, offset);
  };
  const Expression other = moved(z.inner);
  Expression total;
  for (const symbolic::MatrixEntry& entry : op.diffusion)
    for (const Expression& site : sites_in(y.inner, model.states[entry.row])) {
      const Expression column = symbolic::at_site(site, entry.column_site);
      total = total + symbolic::at_site(site, entry.value) * symbolic::derivative(y.inner, site) *
                          symbolic::derivative(other, column);
    }
  return y.gate * moved(z.gate) * total;
}

}  // namespace gfdt::control_variate

#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::control_variate {

using State = std::vector<double>;
using ScalarFunction = std::function<double(const State&)>;

/// The value of a formula at a state [component], at one site of a ring, by direct evaluation of the expression instead
/// of a compiled program.
inline double value_at(const symbolic::Model& model, const symbolic::Expression& formula, const State& x,
                       int site = 0) {
  const auto first_of = [&](const std::string& name) {
    std::size_t first = 0;
    for (const symbolic::Field& state : model.states) {
      if (state.name == name) return first;
      first += static_cast<std::size_t>(state.sites());
    }
    return x.size();
  };
  const auto parameters = model.parameter_values();
  std::map<std::string, int> position;
  for (const std::string& index : formula.free_indices()) position[index] = site;
  return symbolic::evaluate(formula,
                            {[&](const std::string& symbol) {
                               const auto found = parameters.find(symbol);
                               return found != parameters.end() ? found->second : x.at(first_of(symbol));
                             },
                             [&](const std::string& field, std::span<const int> at) {
                               return x.at(first_of(field) + static_cast<std::size_t>(at[0]));
                             }},
                            position);
}

/// L u = F·∇u + ½ Σ_n (σ_n·∇)² u by finite differences along the drift and along the columns σ_n of Σ, independently of
/// symbolic formulas for D, derivatives and products.
class NumericGenerator {
 public:
  explicit NumericGenerator(const symbolic::Model& model) : model_(model) {}

  double applied(const ScalarFunction& u, const State& x) const {
    double total = slope(u, x, drift(x));
    for (const State& column : noise(x)) {
      const double h = 2e-3;
      total += 0.5 *
               (-u(moved(x, column, 2 * h)) + 16 * u(moved(x, column, h)) - 30 * u(x) + 16 * u(moved(x, column, -h)) -
                u(moved(x, column, -2 * h))) /
               (12 * h * h);
    }
    return total;
  }

  /// ∇uᵀ D ∇v
  double coupling(const ScalarFunction& u, const ScalarFunction& v, const State& x) const {
    double total = 0;
    for (const State& column : noise(x)) total += slope(u, x, column) * slope(v, x, column);
    return total;
  }

 private:
  static State moved(State x, const State& along, double by) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * along[i];
    return x;
  }
  static double slope(const ScalarFunction& u, const State& x, const State& along) {
    const double h = 1e-3;
    return (-u(moved(x, along, 2 * h)) + 8 * u(moved(x, along, h)) - 8 * u(moved(x, along, -h)) +
            u(moved(x, along, -2 * h))) /
           (12 * h);
  }
  State drift(const State& x) const {
    State result;
    for (std::size_t i = 0; i < model_.states.size(); ++i)
      for (int site = 0; site < model_.states[i].sites(); ++site)
        result.push_back(value_at(model_, model_.drift[i], x, site));
    return result;
  }
  std::vector<State> noise(const State& x) const {
    std::vector<std::size_t> first_state{0}, first_noise{0};
    for (const symbolic::Field& state : model_.states)
      first_state.push_back(first_state.back() + static_cast<std::size_t>(state.sites()));
    for (const symbolic::Field& field : model_.noises)
      first_noise.push_back(first_noise.back() + static_cast<std::size_t>(field.sites()));
    std::vector<State> columns(first_noise.back(), State(x.size(), 0.0));
    for (const symbolic::DiffusionTerm& term : model_.diffusion)
      for (int site = 0; site < model_.states[term.state].sites(); ++site) {
        std::size_t place = 0;
        if (term.noise_site.kind() == symbolic::Kind::site) {
          const symbolic::SiteIndex& at = term.noise_site.indices()[0];
          place = static_cast<std::size_t>((site + at.offset + at.index.size) % at.index.size);
        }
        columns[first_noise[term.noise] + place][first_state[term.state] + static_cast<std::size_t>(site)] +=
            value_at(model_, term.amplitude, x, site);
      }
    return columns;
  }

  const symbolic::Model& model_;
};

}  // namespace gfdt::control_variate

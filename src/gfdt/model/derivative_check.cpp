#include "gfdt/model/derivative_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gfdt/core/error.hpp"
#include "gfdt/expression/derivative.hpp"
#include "gfdt/expression/evaluate.hpp"
#include "gfdt/model/perturbation.hpp"
#include "gfdt/random/philox.hpp"

namespace gfdt::model {
namespace {

/// Relative step of central differences, near the cube root of the rounding error.
constexpr double relative_step = 6e-6;

/// A state of the model and values of its parameters, at which formulas can be evaluated.
class Point {
 public:
  Point(const Model& model, std::uint64_t seed, std::uint32_t number) : model_(model) {
    random::Stream stream(seed, random::Purpose::sampling, number);
    std::uint64_t position = 0;
    for (const Parameter& p : model.parameters) parameters[p.name] = p.value;
    for (std::size_t i = 0; i < model.states.size(); ++i)
      for (int site = 0; site < model.states[i].sites(); ++site)
        states[model.states[i].name].push_back(model.initial[i].mean +
                                               model.initial[i].std * stream.normal(position++));
  }

  /// Value at the first site.
  double operator()(const Expression& formula) const {
    expression::Values values{
        .symbol =
            [this](const std::string& name) {
              return states.contains(name) ? states.at(name)[0] : parameters.at(name);
            },
        .site = [this](const std::string& field,
                       std::span<const int> position) { return states.at(field)[flat(field, position)]; }};
    std::map<std::string, int> here;
    for (const std::string& index : formula.free_indices()) here[index] = 0;
    return expression::evaluate(formula, values, here);
  }

  std::size_t flat(const std::string& field, std::span<const int> position) const {
    const Field& f = *std::ranges::find(model_.states, field, &Field::name);
    std::size_t place = 0;
    for (std::size_t i = 0; i < position.size(); ++i)
      place = place * static_cast<std::size_t>(f.indices[i].size) + static_cast<std::size_t>(position[i]);
    return place;
  }

  std::map<std::string, double> parameters;
  std::map<std::string, std::vector<double>> states;

 private:
  const Model& model_;
};

/// Central difference of `formula` as `entry`, a parameter or a state, varies.
double difference(Point& point, double& entry, const Expression& formula) {
  double middle = entry, step = relative_step * std::max(1.0, std::abs(middle));
  entry = middle + step;
  double above = point(formula);
  entry = middle - step;
  double below = point(formula);
  entry = middle;
  return (above - below) / (2 * step);
}

/// Where the formula is not defined there is nothing to compare; elsewhere its derivative must be.
double error(double symbolic, double differenced) {
  if (!std::isfinite(differenced)) return 0;
  if (!std::isfinite(symbolic)) return std::numeric_limits<double>::infinity();
  return std::abs(symbolic - differenced) / std::max({1.0, std::abs(symbolic), std::abs(differenced)});
}

class Checker {
 public:
  Checker(const Model& model, int points, std::uint64_t seed) : model_(model) {
    for (int i = 0; i < points; ++i) points_.emplace_back(model, seed, static_cast<std::uint32_t>(i));
  }

  std::vector<DerivativeCheck> run() {
    for (const Parameter& parameter : model_.parameters) {
      Perturbation change;
      try {
        change = perturbation(model_, parameter.name);
      } catch (const Error&) {
        continue;
      }
      for (std::size_t i = 0; i < model_.states.size(); ++i)
        by_parameter(fmt::format("∂F[{}]/∂{}", model_.states[i].name, parameter.name), parameter, model_.drift[i],
                     change.drift[i]);
      for (const DiffusionTerm& term : model_.diffusion)
        by_parameter(fmt::format("∂Σ[{}]/∂{}", model_.states[term.state].name, parameter.name), parameter,
                     term.amplitude, expression::derivative(term.amplitude, Expression::symbol(parameter.name)));
      // Per site, ∂J/∂x at its own site is the term of the divergence.
      for (std::size_t i = 0; i < model_.states.size(); ++i)
        by_state(fmt::format("∇·J of {}, {}", parameter.name, model_.states[i].name), model_.states[i],
                 change.drift[i]);
      for (const MatrixEntry& entry : change.diffusion)
        if (entry.column_site == model_.states[entry.row].self())
          by_state(fmt::format("∇·M of {}, {}", parameter.name, model_.states[entry.row].name),
                   model_.states[entry.row], entry.value);
    }
    return std::move(checks_);
  }

 private:
  void by_parameter(const std::string& what, const Parameter& parameter, const Expression& formula,
                    const Expression& symbolic) {
    DerivativeCheck check{.what = what};
    for (Point& point : points_)
      check.largest_error = std::max(
          check.largest_error, error(point(symbolic), difference(point, point.parameters[parameter.name], formula)));
    record(std::move(check), symbolic);
  }

  void by_state(const std::string& what, const Field& state, const Expression& formula) {
    DerivativeCheck check{.what = what};
    Expression symbolic = expression::derivative(formula, state.self());
    for (Point& point : points_)
      check.largest_error = std::max(check.largest_error,
                                     error(point(symbolic), difference(point, point.states[state.name][0], formula)));
    record(std::move(check), symbolic);
  }

  /// Derivatives that vanish on both sides say nothing.
  void record(DerivativeCheck check, const Expression& symbolic) {
    if (!symbolic.is_number(0) || check.largest_error > 0) checks_.push_back(std::move(check));
  }

  const Model& model_;
  std::vector<Point> points_;
  std::vector<DerivativeCheck> checks_;
};

}  // namespace

std::vector<DerivativeCheck> check_derivatives(const Model& model, int points, std::uint64_t seed) {
  return Checker(model, points, seed).run();
}

}  // namespace gfdt::model

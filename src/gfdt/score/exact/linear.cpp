#include "gfdt/score/exact/linear.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/linear_solve.hpp"
#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/score/exact/lyapunov.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::score {
namespace {

using symbolic::Expression;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool depends_on_state(const Expression& formula, const symbolic::Model& model) {
  return std::ranges::any_of(model.states,
                             [&](const symbolic::Field& state) { return symbolic::depends_on(formula, state.name); });
}

symbolic::Field direction_of(const symbolic::Field& state) { return {"direction." + state.name, state.indices}; }

/// (A v) of each state, as a formula of v. The drift is affine if its derivative along v does not depend on the states.
std::vector<Expression> linear_parts(const symbolic::Model& model) {
  std::map<std::string, Expression> direction;
  for (const symbolic::Field& state : model.states) direction.emplace(state.name, direction_of(state).self());
  std::vector<Expression> parts;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    parts.push_back(symbolic::expand(symbolic::directional_derivative(model.drift[i], direction)));
    if (depends_on_state(parts.back(), model))
      throw Error(fmt::format("The drift of '{}' is not linear in the states.", model.states[i].label()));
  }
  return parts;
}

/// Values of formulas, one per state, with one column per unit vector, or a single column for the zero state.
RowMatrix evaluate_at(const symbolic::Model& model, const std::vector<symbolic::Field>& arguments,
                      const std::vector<Expression>& formulas, bool unit_vectors) {
  codegen::EvaluationPlan plan{model.indices, arguments, {}};
  for (std::size_t i = 0; i < formulas.size(); ++i)
    plan.outputs.push_back({{"output." + model.states[i].name, model.states[i].indices}, formulas[i]});
  const auto evaluator = codegen::make_evaluator<double>(plan, model.parameter_values(), codegen::Backend::interpreter);
  const Eigen::Index d = model.dimension(), lanes = evaluator->lanes(), columns = unit_vectors ? d : 1;
  codegen::AlignedArray<double> x(static_cast<std::size_t>(d * lanes)), values(x.size()),
      scratch(evaluator->scratch_size());
  RowMatrix result(d, columns);
  for (Eigen::Index first = 0; first < columns; first += lanes) {
    const Eigen::Index count = std::min(lanes, columns - first);
    Eigen::Map<RowMatrix> states(x.data(), d, lanes);
    states.setZero();
    if (unit_vectors)
      for (Eigen::Index lane = 0; lane < count; ++lane) states(first + lane, lane) = 1;
    evaluator->evaluate(x.data(), 1, values.data(), scratch.data());
    result.middleCols(first, count) = Eigen::Map<RowMatrix>(values.data(), d, lanes).leftCols(count);
  }
  return result;
}

std::vector<int> first_rows(const std::vector<symbolic::Field>& fields) {
  std::vector<int> rows{0};
  for (const symbolic::Field& field : fields) rows.push_back(rows.back() + field.sites());
  return rows;
}

/// The row of the noise that drives the state at `row` of its field: the noise's own indices at that site, shifted by
/// the offsets of the term.
int noise_row(const symbolic::Model& model, const symbolic::DiffusionTerm& term, int row) {
  if (term.noise_site.kind() != symbolic::Kind::site) return 0;
  const symbolic::Field& state = model.states[term.state];
  const symbolic::Field& noise = model.noises[term.noise];
  const std::vector<int> from = codegen::strides(state, model.indices), to = codegen::strides(noise, model.indices);
  int result = 0;
  for (std::size_t i = 0; i < noise.indices.size(); ++i) {
    const symbolic::SiteIndex& site = term.noise_site.indices()[i];
    const std::size_t along =
        static_cast<std::size_t>(std::ranges::find(state.indices, site.index) - state.indices.begin());
    const int position = row / from[along] % site.index.size + site.offset + site.index.size;
    result += position % site.index.size * to[i];
  }
  return result;
}

RowMatrix amplitudes(const symbolic::Model& model) {
  const std::vector<int> states = first_rows(model.states), noises = first_rows(model.noises);
  const std::map<std::string, double> parameters = model.parameter_values();
  RowMatrix sigma = RowMatrix::Zero(states.back(), noises.back());
  for (const symbolic::DiffusionTerm& term : model.diffusion) {
    const Expression amplitude = symbolic::expand(term.amplitude);
    if (depends_on_state(amplitude, model))
      throw Error(fmt::format("The noise of '{}' depends on the states.", model.states[term.state].label()));
    const double value =
        symbolic::evaluate(amplitude, {[&](const std::string& name) { return parameters.at(name); }, {}});
    for (int row = 0; row < model.states[term.state].sites(); ++row)
      sigma(states[term.state] + row, noises[term.noise] + noise_row(model, term, row)) += value;
  }
  return sigma;
}

std::vector<double> numbers_of(const RowMatrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace

LinearModel linear_model(const symbolic::Model& model) {
  std::vector<symbolic::Field> directions;
  for (const symbolic::Field& state : model.states) directions.push_back(direction_of(state));
  const std::vector<Expression> linear = linear_parts(model);
  const RowMatrix sigma = amplitudes(model);
  LinearModel result{numbers_of(evaluate_at(model, directions, linear, true)),
                     numbers_of(evaluate_at(model, model.states, model.drift, false)),
                     numbers_of(sigma * sigma.transpose())};
  for (const auto* numbers : {&result.a, &result.b, &result.diffusion})
    if (!std::ranges::all_of(*numbers, [](double value) { return std::isfinite(value); }))
      throw Error("A coefficient of the linear model is not finite; check its parameters.");
  return result;
}

GaussianField exact_linear(const symbolic::Model& model) {
  const LinearModel linear = linear_model(model);
  const Eigen::Index d = model.dimension();
  const Eigen::Map<const RowMatrix> a(linear.a.data(), d, d);
  const LyapunovSolution stationary = solve_lyapunov(linear.a, linear.diffusion, model.dimension());
  if (!(stationary.abscissa < -1e-12 * a.norm()))
    throw Error(fmt::format(
        "The linear model has no stationary distribution: an eigenvalue of its drift has the real part {:.6g}, which "
        "must be negative. Check the signs of the damping at these parameters.",
        stationary.abscissa));
  std::vector<double> mean(linear.b.size());
  Eigen::Map<Eigen::VectorXd>(mean.data(), d) =
      -linear_solution(a, Eigen::Map<const Eigen::VectorXd>(linear.b.data(), d));
  std::vector<double> precision =
      score::inverse_covariance(stationary.covariance, codegen::component_names(model),
                                "the noise does not reach all states, give each noise of its own");
  return {std::move(mean), std::move(precision), "exact Gaussian of a linear model"};
}

}  // namespace gfdt::score

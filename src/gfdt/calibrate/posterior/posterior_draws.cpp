#include "gfdt/calibrate/posterior/posterior_draws.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <map>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::calibrate {
namespace {

/// The parameter as a formula of its coordinate: the symbolic form of FreeParameter::natural.
symbolic::Expression natural_formula(const FreeParameter& parameter, const symbolic::Expression& coordinate) {
  using symbolic::call, symbolic::Expression, symbolic::Function;
  const bool below = std::isfinite(parameter.lower), above = std::isfinite(parameter.upper);
  if (below && above)
    return parameter.lower + Expression(parameter.upper - parameter.lower) / (1 + call(Function::exp, {-coordinate}));
  if (below) return parameter.lower + call(Function::exp, {coordinate});
  if (above) return parameter.upper - call(Function::exp, {coordinate});
  return coordinate;
}

}  // namespace

std::vector<double> PosteriorDistribution::at(const std::vector<double>& z) const {
  std::vector<double> result;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    double coordinate = parameters[j].coordinate(answer[j]);
    for (std::size_t k = 0; k < normals; ++k) coordinate += factor[j * normals + k] * z[k];
    result.push_back(parameters[j].natural(coordinate));
  }
  return result;
}

PosteriorDistribution posterior_distribution(const std::vector<FreeParameter>& parameters,
                                             const std::vector<double>& answer, const Posterior& posterior) {
  using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
  const std::size_t size = parameters.size();
  VectorXd slope(static_cast<Index>(size));
  for (std::size_t j = 0; j < size; ++j) slope(static_cast<Index>(j)) = parameters[j].slope(answer[j]);
  const MatrixXd precision = slope.asDiagonal() * matrix_of(posterior.precision, size) * slope.asDiagonal();
  VectorXd scale = precision.diagonal();
  for (double& entry : scale) entry = entry > 0 ? 1 / std::sqrt(entry) : 0;
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * precision * scale.asDiagonal());
  constexpr double negligible = 1e-10;  // for an eigenvalue of a correlation matrix
  // Along a direction known to no better than a factor of e, draws of a bounded parameter would span orders of
  // magnitude.
  constexpr double vague = 1;
  std::vector<Index> kept;
  std::vector<bool> fixed(size, false);
  for (Index k = 0; k < eigen.values.size(); ++k) {
    if (!(eigen.values(k) > negligible)) continue;
    const VectorXd spread = scale.cwiseProduct(eigen.vectors.col(k)) / std::sqrt(eigen.values(k));
    bool too_wide = false;
    for (std::size_t j = 0; j < size; ++j)
      too_wide |= (std::isfinite(parameters[j].lower) || std::isfinite(parameters[j].upper)) &&
                  std::abs(spread(static_cast<Index>(j))) > vague;
    if (!too_wide) kept.push_back(k);
    for (std::size_t j = 0; too_wide && j < size; ++j)
      if (std::abs(spread(static_cast<Index>(j))) > 0.1 * spread.cwiseAbs().maxCoeff()) fixed[j] = true;
  }

  PosteriorDistribution law{parameters, answer, {}, kept.size(), {}};
  for (Index j = 0; j < slope.size(); ++j)
    for (const Index k : kept) law.factor.push_back(scale(j) * eigen.vectors(j, k) / std::sqrt(eigen.values(k)));
  for (std::size_t j = 0; j < size; ++j)
    if (fixed[j] || !std::isfinite(posterior.standard_error[j])) law.undetermined.push_back(parameters[j].name);
  return law;
}

symbolic::Model with_drawn_parameters(symbolic::Model model, const PosteriorDistribution& law) {
  using symbolic::Expression;
  std::vector<Expression> normals;
  for (std::size_t k = 0; k < law.normals; ++k) {
    const std::string name = fmt::format("draw#{}", k + 1);  // not a valid name in a model file
    model.states.push_back({name, {}});
    model.drift.emplace_back(0.0);
    model.initial.push_back({0, 1});
    normals.push_back(Expression::symbol(name));
  }
  std::map<std::string, Expression> drawn;
  for (std::size_t j = 0; j < law.parameters.size(); ++j) {
    const FreeParameter& parameter = law.parameters[j];
    model.parameters.push_back({fmt::format("coordinate#{}", j + 1), parameter.coordinate(law.answer[j])});
    Expression coordinate = Expression::symbol(model.parameters.back().name);
    // The factors are parameters of the model because those are not compiled in: a second calibration can reuse the
    // code.
    for (std::size_t k = 0; k < law.normals; ++k) {
      model.parameters.push_back({fmt::format("factor#{}#{}", j + 1, k + 1), law.factor[j * law.normals + k]});
      coordinate = coordinate + Expression::symbol(model.parameters.back().name) * normals[k];
    }
    drawn.emplace(parameter.name, natural_formula(parameter, coordinate));
  }
  for (Expression& formula : model.drift) formula = symbolic::substitute(formula, drawn);
  for (symbolic::DiffusionTerm& term : model.diffusion) term.amplitude = symbolic::substitute(term.amplitude, drawn);
  for (symbolic::Observable& observable : model.observables)
    observable.formula = symbolic::substitute(observable.formula, drawn);
  return model;
}

}  // namespace gfdt::calibrate

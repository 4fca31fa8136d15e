#include "gfdt/symbolic/derived/derivative_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/model/point.hpp"

namespace gfdt::symbolic {
namespace {

/// Relative step of central differences, near the cube root of the rounding error.
constexpr double relative_step = 6e-6;

using Position = std::map<std::string, int>;

/// Central difference of `formula` at a site with respect to `entry`, which is a parameter or a state.
double difference(Point& point, double& entry, const Expression& formula, const Position& position = {}) {
  double middle = entry, step = relative_step * std::max(1.0, std::abs(middle));
  entry = middle + step;
  double above = point(formula, position);
  entry = middle - step;
  double below = point(formula, position);
  entry = middle;
  return (above - below) / (2 * step);
}

/// Σ_i ∂_i v_i by central differences, over all states and sites.
double difference_divergence(const Model& model, Point& point, const std::vector<Expression>& v) {
  double total = 0;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const Field& state = model.states[i];
    for (int site = 0; site < state.sites(); ++site) {
      Position position;
      int rest = site;
      for (std::size_t k = state.indices.size(); k-- > 0; rest /= state.indices[k].size)
        position[state.indices[k].name] = rest % state.indices[k].size;
      total += difference(point, point.states[state.name][static_cast<std::size_t>(site)], v[i], position);
    }
  }
  return total;
}

/// Σ_j ∂_j M_ij of one row at the first site, by central differences.
double difference_row(const Model& model, Point& point, const std::vector<MatrixEntry>& matrix, std::size_t row) {
  double total = 0;
  for (const MatrixEntry& entry : matrix) {
    if (entry.row != row) continue;
    const std::string& column = model.states[entry.column].name;
    std::vector<int> position;
    if (entry.column_site.kind() == Kind::site)
      for (const SiteIndex& i : entry.column_site.indices())
        position.push_back((i.offset + i.index.size) % i.index.size);
    total += difference(point, point.states[column][point.flat(column, position)], entry.value);
  }
  return total;
}

/// Relative difference. Zero where the formula is undefined, infinite where only its symbolic derivative is undefined.
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
                     term.amplitude, symbolic::derivative(term.amplitude, Expression::symbol(parameter.name)));
      compare(fmt::format("∇·J of {}", parameter.name), change.drift_divergence,
              [&](Point& point) { return difference_divergence(model_, point, change.drift); });
      for (std::size_t i = 0; i < model_.states.size(); ++i)
        compare(fmt::format("∇·M of {}, {}", parameter.name, model_.states[i].name), change.diffusion_divergence[i],
                [&](Point& point) { return difference_row(model_, point, change.diffusion, i); });
      compare(fmt::format("∇∇:M of {}", parameter.name), change.diffusion_double_divergence,
              [&](Point& point) { return difference_divergence(model_, point, change.diffusion_divergence); });
    }
    return std::move(checks_);
  }

 private:
  void by_parameter(const std::string& what, const Parameter& parameter, const Expression& formula,
                    const Expression& symbolic) {
    compare(what, symbolic, [&](Point& point) { return difference(point, point.parameters[parameter.name], formula); });
  }

  /// Skips derivatives that are zero both symbolically and by differences.
  template <class Difference>
  void compare(const std::string& what, const Expression& symbolic, Difference differenced) {
    DerivativeCheck check{.what = what};
    for (Point& point : points_)
      check.largest_error = std::max(check.largest_error, error(point(symbolic), differenced(point)));
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

}  // namespace gfdt::symbolic

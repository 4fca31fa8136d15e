#include "gfdt/symbolic/derived/noise_inverse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/symbolic/model/point.hpp"

namespace gfdt::symbolic {
namespace {

using Group = NoiseInverse::Group;
using Matrix = std::vector<std::vector<Expression>>;

constexpr std::uint64_t seed_of_points = 1;
constexpr std::uint32_t points = 32;
/// Tolerance for sums that are zero up to rounding, relative to their largest term.
constexpr double rounding = 1e-9;

Matrix without(const Matrix& matrix, std::size_t row, std::size_t column) {
  Matrix result = matrix;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(row));
  for (auto& entries : result) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(column));
  return result;
}

Expression determinant(const Matrix& matrix) {
  if (matrix.empty()) return 1.0;
  Expression total;
  for (std::size_t j = 0; j < matrix.size(); ++j)
    if (!matrix[0][j].is_number(0))
      total = total + (j % 2 == 0 ? 1.0 : -1.0) * matrix[0][j] * determinant(without(matrix, 0, j));
  return total;
}

/// Inverse by cofactors.
Matrix inverse(const Matrix& matrix) {
  const std::size_t n = matrix.size();
  const Expression whole = determinant(matrix);
  Matrix result(n, std::vector<Expression>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      result[i][j] = ((i + j) % 2 == 0 ? 1.0 : -1.0) * determinant(without(matrix, j, i)) / whole;
  return result;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix[0].size(), std::vector<Expression>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[0].size(); ++j) result[j][i] = matrix[i][j];
  return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Expression>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) result[i][j] = result[i][j] + a[i][k] * b[k][j];
  return result;
}

/// Σ of a group of states, indexed [state][noise].
Matrix amplitudes(const Model& model, const Group& group) {
  Matrix sigma(group.states.size(), std::vector<Expression>(group.noises.size()));
  for (const DiffusionTerm& term : model.diffusion)
    if (const auto state = std::ranges::find(group.states, term.state); state != group.states.end()) {
      const auto noise = std::ranges::find(group.noises, term.noise);
      sigma[static_cast<std::size_t>(state - group.states.begin())]
           [static_cast<std::size_t>(noise - group.noises.begin())] = term.amplitude;
    }
  return sigma;
}

/// ΣΣᵀ or ΣᵀΣ, whichever is smaller; Σ itself if it is square.
Matrix square_form(const Matrix& sigma) {
  if (sigma.size() == sigma[0].size()) return sigma;
  return sigma.size() < sigma[0].size() ? product(sigma, transposed(sigma)) : product(transposed(sigma), sigma);
}

Matrix solution(const Matrix& sigma) {
  const Matrix small = inverse(square_form(sigma));
  if (sigma.size() == sigma[0].size()) return small;
  return sigma.size() < sigma[0].size() ? product(transposed(sigma), small) : product(small, transposed(sigma));
}

std::string labels(const Model& model, const Group& group) {
  std::vector<std::string> names;
  for (const std::size_t state : group.states) names.push_back(fmt::format("'{}'", model.states[state].label()));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A model with positive initial standard deviations, so that its random points differ even if all members start at the
/// same state.
Model spread_out(Model model) {
  for (InitialDistribution& law : model.initial)
    if (law.std == 0) law.std = 1;
  return model;
}

std::vector<Group> groups_of(const Model& model) {
  std::vector<std::size_t> label(model.states.size());
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = i;
  for (const DiffusionTerm& a : model.diffusion)
    for (const DiffusionTerm& b : model.diffusion)
      if (a.noise == b.noise && label[a.state] != label[b.state])
        std::ranges::replace(label, std::max(label[a.state], label[b.state]), std::min(label[a.state], label[b.state]));
  std::vector<Group> groups;
  for (std::size_t first = 0; first < label.size(); ++first) {
    if (label[first] != first) continue;
    Group& group = groups.emplace_back();
    for (std::size_t i = first; i < label.size(); ++i)
      if (label[i] == first) group.states.push_back(i);
    for (const DiffusionTerm& term : model.diffusion)
      if (label[term.state] == first && std::ranges::find(group.noises, term.noise) == group.noises.end())
        group.noises.push_back(term.noise);
  }
  return groups;
}

bool of_own_site(const Model& model, const Group& group) {
  return std::ranges::all_of(model.diffusion, [&](const DiffusionTerm& term) {
    const Field& noise = model.noises[term.noise];
    return std::ranges::find(group.noises, term.noise) == group.noises.end() ||
           (noise.indices == model.states[term.state].indices && term.noise_site == noise.self());
  });
}

bool vanishes(const Model& model, const Expression& formula) {
  for (std::uint32_t i = 0; i < points; ++i)
    if (const double value = Point(model, seed_of_points, i)(formula); std::isfinite(value) && value != 0) return false;
  return true;
}

}  // namespace

NoiseInverse noise_inverse(const Model& model) {
  const Model spread = spread_out(model);
  NoiseInverse result;
  for (Group& group : groups_of(model)) {
    const std::string names = labels(model, group);
    if (group.noises.empty()) {
      group.unavailable = fmt::format("{} has no noise", names);
    } else if (!of_own_site(model, group)) {
      group.unavailable = fmt::format("noises of {} are shared by several sites", names);
    } else if (std::max(group.states.size(), group.noises.size()) > NoiseInverse::largest_group) {
      group.unavailable =
          fmt::format("more than {} states and noises hang together: those of {}", NoiseInverse::largest_group, names);
    } else {
      const Matrix sigma = amplitudes(model, group);
      if (vanishes(spread, determinant(square_form(sigma)))) {
        group.unavailable = group.states.size() == 1
                                ? fmt::format("the noise of {} is zero", names)
                                : fmt::format("the noises of {} are zero, or not independent of each other", names);
      } else {
        const Matrix solved = solution(sigma);
        for (std::size_t j = 0; j < group.noises.size(); ++j)
          for (std::size_t i = 0; i < group.states.size(); ++i)
            if (!solved[j][i].is_number(0)) result.entries.push_back({group.noises[j], group.states[i], solved[j][i]});
      }
    }
    result.groups.push_back(std::move(group));
  }
  return result;
}

std::string NoiseInverse::obstacle(const Model& model, const std::vector<Expression>& change) const {
  const Model spread = spread_out(model);
  for (const Group& group : groups) {
    if (std::ranges::all_of(group.states, [&](std::size_t i) { return change[i].is_number(0); })) continue;
    if (!group.unavailable.empty()) return group.unavailable;
    if (group.noises.size() >= group.states.size()) continue;
    for (std::uint32_t n = 0; n < points; ++n) {
      const Point point(spread, seed_of_points, n);
      double size = 0;
      std::vector<double> left(model.states.size(), 0.0);
      for (const std::size_t i : group.states) {
        left[i] = point(change[i]);
        size = std::max(size, std::abs(left[i]));
      }
      for (const Entry& entry : entries)
        for (const DiffusionTerm& term : model.diffusion)
          if (term.noise == entry.noise)
            left[term.state] -= point(term.amplitude) * point(entry.value) * point(change[entry.state]);
      for (const std::size_t i : group.states)
        if (std::abs(left[i]) > rounding * size)
          return fmt::format("the {} of {} cannot make every change of their drifts",
                             group.noises.size() == 1 ? "one noise" : "few noises", labels(model, group));
    }
  }
  return {};
}

}  // namespace gfdt::symbolic

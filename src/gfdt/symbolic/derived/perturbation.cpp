#include "gfdt/symbolic/derived/perturbation.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::at_site;
using symbolic::derivative;

std::vector<SiteIndex> offsets_of(const Expression& site) {
  if (site.kind() != Kind::site) return {};
  return {site.indices().begin(), site.indices().end()};
}

/// Site of `column` that is driven by the same noise as `row`, relative to the site of `row`.
Expression meeting_site(const Model& model, const DiffusionTerm& row, const DiffusionTerm& column) {
  const Field& noise = model.noises[row.noise];
  for (std::size_t state : {row.state, column.state})
    if (model.states[state].indices != noise.indices)
      throw Error(
          fmt::format("The noise '{}' drives all sites of '{}' at once; the response to its amplitude is not derived.",
                      noise.name.substr(2), model.states[state].label()));
  const Field& state = model.states[column.state];
  if (state.indices.empty()) return state.self();
  std::vector<SiteIndex> relative = offsets_of(row.noise_site), back = offsets_of(column.noise_site);
  for (std::size_t i = 0; i < relative.size(); ++i) relative[i].offset -= back[i].offset;
  return Expression::site(state.name, std::move(relative));
}

void accumulate(std::vector<MatrixEntry>& matrix, MatrixEntry entry) {
  if (entry.value.is_number(0)) return;
  for (MatrixEntry& known : matrix)
    if (known.row == entry.row && known.column_site == entry.column_site) {
      known.value = known.value + entry.value;
      return;
    }
  matrix.push_back(std::move(entry));
}

void drop_zeros(std::vector<MatrixEntry>& matrix) {
  std::erase_if(matrix, [](const MatrixEntry& entry) { return entry.value.is_number(0); });
}

}  // namespace

std::vector<MatrixEntry> diffusion_matrix(const Model& model) {
  std::vector<MatrixEntry> matrix;
  for (const DiffusionTerm& row : model.diffusion)
    for (const DiffusionTerm& column : model.diffusion) {
      if (row.noise != column.noise) continue;
      Expression site = meeting_site(model, row, column);
      accumulate(matrix, {row.state, column.state, site, row.amplitude * at_site(site, column.amplitude)});
    }
  drop_zeros(matrix);
  return matrix;
}

std::vector<Expression> row_divergence(const Model& model, const std::vector<MatrixEntry>& matrix) {
  std::vector<Expression> result(model.states.size());
  for (const MatrixEntry& entry : matrix)
    result[entry.row] = result[entry.row] + derivative(entry.value, entry.column_site);
  return result;
}

Expression divergence(const Model& model, const std::vector<Expression>& vector) {
  Expression total;
  for (std::size_t i = 0; i < vector.size(); ++i)
    total = total + sum_over_sites(model.states[i], derivative(vector[i], model.states[i].self()));
  return total;
}

Perturbation perturbation(const Model& model, const std::string& parameter) {
  Expression theta = Expression::symbol(model.parameter(parameter).name);
  Perturbation result;
  for (const Expression& drift : model.drift) result.drift.push_back(derivative(drift, theta));
  result.drift_divergence = divergence(model, result.drift);

  std::vector<Expression> slope;
  for (const DiffusionTerm& term : model.diffusion) slope.push_back(derivative(term.amplitude, theta));
  for (std::size_t a = 0; a < model.diffusion.size(); ++a)
    for (std::size_t b = 0; b < model.diffusion.size(); ++b) {
      const DiffusionTerm& row = model.diffusion[a];
      const DiffusionTerm& column = model.diffusion[b];
      if (row.noise != column.noise || (slope[a].is_number(0) && slope[b].is_number(0))) continue;
      Expression site = meeting_site(model, row, column);
      accumulate(result.diffusion,
                 {row.state, column.state, site,
                  row.amplitude * at_site(site, slope[b]) + slope[a] * at_site(site, column.amplitude)});
    }
  drop_zeros(result.diffusion);
  result.diffusion_divergence = row_divergence(model, result.diffusion);
  result.diffusion_double_divergence = divergence(model, result.diffusion_divergence);
  return result;
}

}  // namespace gfdt::symbolic

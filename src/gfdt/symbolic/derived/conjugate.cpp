#include "gfdt/symbolic/derived/conjugate.hpp"

#include <fmt/format.h>

#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

Field renamed(const Field& field, std::string name) { return {std::move(name), field.indices}; }

Expression score(const Field& state) { return renamed(state, score_name(state)).self(); }

/// −(∇·v + v·s)
Expression drift_part(const Model& model, const std::vector<Expression>& v, const Expression& divergence_of_v) {
  Expression total = divergence_of_v;
  for (std::size_t i = 0; i < v.size(); ++i)
    total = total + sum_over_sites(model.states[i], v[i] * score(model.states[i]));
  return -total;
}

/// ½ [∇∇:M + 2(∇·M)·s + M:∇s + sᵀM s]
Expression diffusion_part(const Model& model, const std::vector<MatrixEntry>& matrix,
                          const std::vector<Expression>& divergence_of_rows, const Expression& double_divergence) {
  Expression total = double_divergence;
  for (std::size_t i = 0; i < model.states.size(); ++i)
    total = total + sum_over_sites(model.states[i], 2.0 * divergence_of_rows[i] * score(model.states[i]));
  for (const MatrixEntry& entry : matrix) {
    const Field& row = model.states[entry.row];
    const Field& column = model.states[entry.column];
    Expression column_score = symbolic::at_site(entry.column_site, score(column));
    Expression jacobian = renamed(row, score_jacobian_name(model, entry)).self();
    total = total + sum_over_sites(row, entry.value * (jacobian + score(row) * column_score));
  }
  return 0.5 * total;
}

}  // namespace

std::string score_name(const Field& state) { return "s." + state.name; }

std::string score_jacobian_name(const Model& model, const MatrixEntry& entry) {
  std::string name = fmt::format("ds.{}.{}", model.states[entry.row].name, model.states[entry.column].name);
  if (entry.column_site.kind() != Kind::site) return name;
  std::string offsets;
  bool elsewhere = false;
  for (const SiteIndex& i : entry.column_site.indices()) {
    offsets += fmt::format(".{}", i.offset);
    elsewhere |= i.offset != 0;
  }
  return elsewhere ? name + offsets : name;
}

Conjugate conjugate(const Model& model, const std::string& parameter) {
  Conjugate result{
      .parameter = model.parameter(parameter).name, .drift_part = {}, .diffusion_part = {}, .unavailable = {}};
  try {
    Perturbation change = perturbation(model, parameter);
    result.drift_part = drift_part(model, change.drift, change.drift_divergence);
    result.diffusion_part =
        diffusion_part(model, change.diffusion, change.diffusion_divergence, change.diffusion_double_divergence);
  } catch (const Error& error) {
    result.unavailable = error.what();
  }
  return result;
}

Expression stationarity_residual(const Model& model) {
  std::vector<MatrixEntry> d = diffusion_matrix(model);
  std::vector<Expression> rows = row_divergence(model, d);
  return drift_part(model, model.drift, divergence(model, model.drift)) +
         diffusion_part(model, d, rows, divergence(model, rows));
}

std::string readable(const Model& model, const Expression& formula) {
  std::set<std::string> keep;
  for (const Field& state : model.states) {
    keep.insert(state.name);
    keep.insert(score_name(state));
  }
  return symbolic::abbreviated(symbolic::collect_factors(formula, keep), longest_text);
}

}  // namespace gfdt::symbolic

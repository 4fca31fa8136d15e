#pragma once

#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// One entry of a symmetric matrix over the state: row at the formula's own site, column at `column_site` relative to
/// it.
struct MatrixEntry {
  std::size_t row;
  std::size_t column;
  Expression column_site;
  Expression value;
};

/// D = ΣΣᵀ, entries that are not zero. Throws Error when one noise drives all sites of a lattice (D is then dense).
std::vector<MatrixEntry> diffusion_matrix(const Model& model);

/// (∇·M)_i = Σ_j ∂_j M_ij, one formula a state, per site.
std::vector<Expression> row_divergence(const Model& model, const std::vector<MatrixEntry>& matrix);

/// ∇·v = Σ_i ∂_i v_i, of a formula a state.
Expression divergence(const Model& model, const std::vector<Expression>& vector);

/// What a small change of one parameter θ does to the dynamics.
struct Perturbation {
  std::vector<Expression> drift;                 ///< J = ∂F/∂θ
  Expression drift_divergence;                   ///< ∇·J
  std::vector<MatrixEntry> diffusion;            ///< M = ΣKᵀ + KΣᵀ with K = ∂Σ/∂θ
  std::vector<Expression> diffusion_divergence;  ///< ∇·M
  Expression diffusion_double_divergence;        ///< ∇∇:M
};

/// Throws NotDifferentiable or Error with a sentence when a formula stands in the way.
Perturbation perturbation(const Model& model, const std::string& parameter);

}  // namespace gfdt::symbolic

#pragma once

#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Entry of a symmetric matrix over the states: the row is at the formula's own site, the column at `column_site`
/// relative to it.
struct MatrixEntry {
  std::size_t row;
  std::size_t column;
  Expression column_site;
  Expression value;
};

/// Nonzero entries of D = ΣΣᵀ. Throws Error if one noise drives all sites of a lattice, because D is then dense.
std::vector<MatrixEntry> diffusion_matrix(const Model& model);

/// (∇·M)_i = Σ_j ∂_j M_ij: one formula per state, per site.
std::vector<Expression> row_divergence(const Model& model, const std::vector<MatrixEntry>& matrix);

/// ∇·v = Σ_i ∂_i v_i for one formula v_i per state.
Expression divergence(const Model& model, const std::vector<Expression>& vector);

/// Derivatives of drift and diffusion with respect to one parameter θ.
struct Perturbation {
  std::vector<Expression> drift;                 ///< J = ∂F/∂θ
  Expression drift_divergence;                   ///< ∇·J
  std::vector<MatrixEntry> diffusion;            ///< M = ΣKᵀ + KΣᵀ with K = ∂Σ/∂θ
  std::vector<Expression> diffusion_divergence;  ///< ∇·M
  Expression diffusion_double_divergence;        ///< ∇∇:M
};

/// Throws NotDifferentiable, or Error with a full sentence, if a derivative cannot be formed.
Perturbation perturbation(const Model& model, const std::string& parameter);

}  // namespace gfdt::symbolic

#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/derived/perturbation.hpp"

namespace gfdt::symbolic {

/// Name of the field that holds the score of a state, s.x = ∂_x log ρ, defined on the same sites as the state.
std::string score_name(const Field& state);

/// Name of the score Jacobian of a matrix entry, ds.x.y = ∂_y s.x, where y is the state at the column site. If the
/// column site differs from the row site, its offset is part of the name: ds.X.X.1 is ∂s.X[k]/∂X[k+1].
std::string score_jacobian_name(const Model& model, const MatrixEntry& entry);

/// Conjugate observable of a parameter as a formula of states, parameters, the score and its Jacobian:
///   drift part g = −(∇·J + J·s)
///   diffusion part g = ½ [∇∇:M + 2(∇·M)·s + M:∇s + sᵀM s]
/// with J = ∂F/∂θ and M = ∂(ΣΣᵀ)/∂θ.
///   drift part      g = −(∇·J + J·s)
///   diffusion part  g = ½ [∇∇:M + 2(∇·M)·s + M:∇s + sᵀM s]
struct Conjugate {
  std::string parameter;
  Expression drift_part;
  Expression diffusion_part;
  std::string unavailable;  ///< reason why the observable could not be derived; empty if it could

  Expression total() const { return drift_part + diffusion_part; }
};

/// Throws Error for an unknown parameter. If a formula cannot be differentiated, sets `unavailable` instead.
Conjugate conjugate(const Model& model, const std::string& parameter);

/// Residual of the stationary Fokker–Planck equation divided by ρ; zero for the exact score:
///   −(∇·F + F·s) + ½ [∇∇:D + 2(∇·D)·s + D:∇s + sᵀD s]
Expression stationarity_residual(const Model& model);

/// A conjugate observable for display: common factors are taken out, polynomials in the states are kept, and text
/// beyond about `longest_text` characters is omitted.
inline constexpr std::size_t longest_text = 10'000;
std::string readable(const Model& model, const Expression& formula);

}  // namespace gfdt::symbolic

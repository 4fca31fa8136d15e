#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/derived/perturbation.hpp"

namespace gfdt::symbolic {

/// Name of the score component of a state, s.x = ∂_x log ρ, a field over the same sites.
std::string score_name(const Field& state);

/// Name of the score Jacobian between a state and the state at a matrix entry's column site, ds.x.y = ∂_y s.x. The
/// offset of the column site, where it is another site than the row's, is part of the name: ds.X.X.1 is
/// ∂s.X[k]/∂X[k+1].
std::string score_jacobian_name(const Model& model, const MatrixEntry& entry);

/// The conjugate observable of a parameter, a formula of the states, the parameters, the score and its Jacobian:
///   drift part      g = −(∇·J + J·s)
///   diffusion part  g = ½ [∇∇:M + 2(∇·M)·s + M:∇s + sᵀM s]
struct Conjugate {
  std::string parameter;
  Expression drift_part;
  Expression diffusion_part;
  std::string unavailable;  ///< why there is none; empty when there is

  Expression total() const { return drift_part + diffusion_part; }
};

/// Throws Error for an unknown parameter, but not for a formula that cannot be differentiated: it says so in
/// `unavailable`.
Conjugate conjugate(const Model& model, const std::string& parameter);

/// The residual of the stationary Fokker–Planck equation divided by ρ, zero for the exact score:
///   −(∇·F + F·s) + ½ [∇∇:D + 2(∇·D)·s + D:∇s + sᵀD s]
Expression stationarity_residual(const Model& model);

/// A conjugate as it is shown: common factors taken out, polynomials in the states kept as such, and what goes past
/// about `longest_text` characters left out.
inline constexpr std::size_t longest_text = 10'000;
std::string readable(const Model& model, const Expression& formula);

}  // namespace gfdt::symbolic

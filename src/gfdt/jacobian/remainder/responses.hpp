#pragma once

#include <memory>
#include <vector>

#include "gfdt/jacobian/correlation/correlations.hpp"

namespace gfdt::jacobian {

/// Correlations of observables with conjugates. With a basis, the errors of the conjugates are corrected by projection
/// on polynomials. If the score is not exact, a conjugate ĝ has the error g − ĝ, but the projection of this error on
/// the functions of a basis needs no score: with centred φ and G = <φφᵀ> it is Σ c_k φ_k, G c = <gφ> − <ĝφ>, where <gφ>
/// = <J·∇φ> + ½<M:∇∇φ>. Hence
///   S = ∫<A(t) ĝ(0)>dt + Σ_k c_k ∫<A(t) φ_k(0)>dt.
/// The noise of <ĝφ> is that of the first integral with opposite sign, so most of it cancels: if polynomials
/// approximate ∫(E[A(t)|x] − <A>)dt well, only the noise of <J·∇φ> remains.
/// close to ∫(E[A(t)|x] − <A>)dt, the noise of <J·∇φ> is what is left.
class Responses {
 public:
  Responses(const Signals& signals, const Correlations& correlations);
  ~Responses();

  /// Correlation of a later row with conjugate i of a group. The influences include the error of the coefficients.
  LagCorrelation between(int later, const ConjugateGroup& group, std::size_t i) const;

 private:
  struct Correction;
  const Correlations& correlations_;
  std::unique_ptr<Correction> correction_;  ///< null without a basis
};

}  // namespace gfdt::jacobian

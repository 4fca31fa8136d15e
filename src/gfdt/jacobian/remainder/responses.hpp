#pragma once

#include <memory>
#include <vector>

#include "gfdt/jacobian/correlation/correlations.hpp"

namespace gfdt::jacobian {

/// Correlations of observables with conjugates; where there is a basis, with the errors of the conjugates taken
/// off as far as polynomials can tell. With a score that is not exact a conjugate ĝ is off by g − ĝ, but the projection
/// of that on the functions of a basis is known without any score: with centred φ and G = <φφᵀ> it is Σ c_k φ_k,
/// G c = <gφ> − <ĝφ>, where <gφ> = <J·∇φ> + ½<M:∇∇φ>. So
///   S = ∫<A(t) ĝ(0)>dt + Σ_k c_k ∫<A(t) φ_k(0)>dt.
/// The noise of <ĝφ> is that of the first integral with the other sign, so most of it goes too: where polynomials come
/// close to ∫(E[A(t)|x] − <A>)dt, the noise of <J·∇φ> is what is left.
class Responses {
 public:
  Responses(const Signals& signals, const Correlations& correlations);
  ~Responses();

  /// Of a later row and the conjugate of the i-th parameter of a group. What groups add holds the coefficients' error.
  LagCorrelation between(int later, const ConjugateGroup& group, std::size_t i) const;

 private:
  struct Correction;
  const Correlations& correlations_;
  std::unique_ptr<Correction> correction_;  ///< null where there is no basis
};

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/score/certificate/certificate_test.hpp"
#include "gfdt/score/certificate/monitored_blocks.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

struct StationarityOptions {
  double tolerance = 0.2;
  double false_alarm = 0.01;
  int threads = 0;
};

/// The stationary Fokker–Planck equation divided by ρ has a drift part and a diffusion part,
///
///   a = −(∇·F + F·s),   b = ½[∇∇:D + 2(∇·D)·s + D:∇s + sᵀD s],   a + b = 0 for the exact score,
///
/// and the check's value is √(⟨(a + b)²⟩ / ⟨a² + b²⟩) over states: 0 where they cancel, 1 where a and b know nothing of
/// each other, as with no score at all. A score that is wrong by a factor 1 + ε has a value of about ε/√2.
///
/// The equation holds at every state, so this asks more than the averages that a response is made of: pointwise errors
/// of s enter through differences of large terms, and ∇s besides. Measured on the double well, with the score of the
/// density smoothed by a noise of 0.05, 0.1, 0.2 or 0.3 the value is 0.02, 0.06, 0.19 or 0.34, and the identities are
/// off by 0.1 at about 0.18: hence the default tolerance. On Lorenz-96 it is near 1 with networks whose identities are
/// off by less than 0.1: there it speaks of responses to the noise, not of those to the drift. Not applicable where the
/// residual cannot be formed; the explanation says why.
CertificateTest stationarity_check(const symbolic::Model& model, const Field& field, const Samples& samples,
                                   const StationarityOptions& options, const Watch& watch);

}  // namespace gfdt::score

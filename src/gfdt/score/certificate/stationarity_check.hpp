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
/// The value of the check is √(⟨(a + b)²⟩ / ⟨a² + b²⟩) over states: 0 if the parts cancel, 1 if a and b are
/// uncorrelated, as without any score. A score with a relative error ε has a value of about ε/√2.
///
/// The equation holds at every state, so this check is stricter than the averages in a response: pointwise errors of s
/// enter through differences of large terms, and ∇s enters as well. For the double well, with the score of the density
/// smoothed by noise of standard deviation 0.05, 0.1, 0.2 or 0.3, the value is 0.02, 0.06, 0.19 or 0.34, and the
/// identities reach a deviation of 0.1 at a value of about 0.18; this is the reason for the default tolerance. For
/// Lorenz-96 the value is near 1 for networks whose identities deviate by less than 0.1; there the check is informative
/// for responses to the noise but not for responses to the drift. Not applicable if the residual cannot be computed;
/// the explanation gives the reason.
CertificateTest stationarity_check(const symbolic::Model& model, const Field& field, const Samples& samples,
                                   const StationarityOptions& options, const Watch& watch);

}  // namespace gfdt::score

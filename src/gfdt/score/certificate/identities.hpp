#pragma once

#include "gfdt/score/certificate/certificate_test.hpp"
#include "gfdt/score/certificate/monitored_blocks.hpp"
#include "gfdt/score/certificate/test_functions.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// Stein's identity for one test function, in normalised units, averaged over the sites of a ring:
///
///   value = ⟨φ ŝ_i + ∂_iφ⟩ / √⟨|∇φ|²⟩         (for φ = 1: ⟨ŝ_i⟩)
///
/// The value is zero for the exact score. ⟨∂_iφ⟩ is the immediate response of ⟨φ⟩ to a shift of x̂_i, −⟨φ ŝ_i⟩ is its
/// prediction by the fluctuation–dissipation theorem with this score, and √⟨|∇φ|²⟩ is the magnitude of such responses.
/// A value of 0.1 is therefore an error of 10 % of a typical response at short lags.
struct Identity {
  TestFunction function;
  double value = 0;
  double standard_error = 0;  ///< from the spread over independent groups of samples
};

struct IdentityOptions {
  double tolerance = 0.1;
  double false_alarm = 0.01;  ///< of the intervals of a check, over all its identities (Bonferroni, Student)
  int threads = 0;
};

struct Identities {
  std::vector<Identity> mean, covariance, stein;
  double degrees_of_freedom = 0;
  bool independent = true;  ///< whether the error bars come from independent groups
  bool complete = true;     ///< false if cancelled
};

Identities identities(const Field& field, const Samples& samples, const Normalisation& normalisation,
                      const IdentityOptions& options, const Watch& watch);

/// The checks "mean", "covariance" and "Stein". Each is determined by its worst identity.
std::vector<CertificateTest> identity_checks(const Identities& identities, const Samples& samples,
                                             const IdentityOptions& options);

}  // namespace gfdt::score

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"
#include "gfdt/score/certificate/certificate_test.hpp"
#include "gfdt/score/certificate/marginals.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/divergence.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

struct CertificateOptions {
  double identity_tolerance = 0.1;      ///< of mean, covariance and Stein: share of a typical response (identities.hpp)
  double stationarity_tolerance = 0.2;  ///< of the residual, relative to its terms (stationarity_check.hpp)
  double marginal_tolerance = 0.05;     ///< of the Wasserstein distance of marginals, in standard deviations
  double false_alarm = 0.01;            ///< of the intervals behind each verdict
  int samples = 0;                      ///< held-out states that are looked at, at most; 0: see default_samples
  int langevin_chains = 4096;
  double langevin_time = 4;
  std::uint64_t langevin_evaluations = 10000000;  ///< of a component of the score, at most
  /// What the held-out samples are worth in independent ones. Below `fewest_effective` averages miss what is rare,
  /// error bars with them, and nothing is called failed.
  double effective_samples = std::numeric_limits<double>::infinity();
  static constexpr double fewest_effective = 100;
  /// Whether the run that the samples come from forgot where it started. Where not, nothing is called passed.
  bool mixed = true;
  /// The score is known: what does not hold is put down to the samples or to the time step of the chains.
  bool exact = false;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all there are

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

/// As many as take about as long in any dimension: 2·10⁶ components, 20,000 states at least and 10⁶ at most.
int default_samples(int dimension);

/// Whether a score can be trusted, by what it does on states that it was not fitted to.
struct Certificate {
  std::vector<CertificateTest> checks;  ///< mean, covariance, Stein, stationarity, Langevin
  std::vector<Marginal> marginals;      ///< behind the check "Langevin"
  /// For responses to the drift: the worst of all checks but stationarity; unresolved when cancelled.
  Verdict overall = Verdict::not_applicable;
  /// For responses to noise amplitudes, which need the score's square and derivative at every state: stationarity
  /// besides; never passed where that was not tested.
  Verdict noise_responses = Verdict::not_applicable;
  bool cancelled = false;
  std::size_t samples = 0;               ///< held-out states that were looked at
  std::optional<Divergence> divergence;  ///< <∇·s>; none where the field has no derivative
  std::size_t escaped_chains = 0;
  double langevin_time = 0;       ///< that was covered
  std::uint64_t evaluations = 0;  ///< of the score, about
  double wall_seconds = 0;

  const CertificateTest* find(const std::string& name) const;  ///< null where there is none
};

/// `held_out` must not have been used in the fit. Without a model there is no stationarity residual. Throws Error for
/// bad options and where score, samples and model do not fit one another. Results are the same on any number of
/// threads.
Certificate certify(const Field& field, const Samples& held_out, const symbolic::Model* model,
                    const CertificateOptions& options = {}, const ProgressListener& progress = {},
                    const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

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
  double identity_tolerance = 0.1;      ///< for mean, covariance and Stein: share of a typical response
                                        ///< (identities.hpp)
  double stationarity_tolerance = 0.2;  ///< for the residual, relative to its terms (stationarity_check.hpp)
  double marginal_tolerance = 0.05;     ///< for the Wasserstein distance of marginals, in standard deviations
  double false_alarm = 0.01;            ///< false-alarm rate of the intervals behind each verdict
  int samples = 0;                      ///< upper limit of the held-out states; 0: see default_samples
  int langevin_chains = 4096;
  double langevin_time = 4;
  std::uint64_t langevin_evaluations = 10000000;  ///< Number of independent samples equivalent to the held-out ones.
                                                  ///< Below `fewest_effective` averages and their error bars miss rare
                                                  ///< states, and no check is reported as failed.
  /// error bars with them, and nothing is called failed.
  double effective_samples = std::numeric_limits<double>::infinity();
  static constexpr double fewest_effective = 100;
  /// Whether the run that provides the samples has mixed. If not, no check is reported as passed.
  bool mixed = true;
  /// Whether the score is exact. Deviations are then attributed to the samples or to the time step of the chains.
  bool exact = false;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all available threads

  /// A sentence that describes what is invalid in these options; empty if they are valid.
  std::string problem() const;
};

/// A number of samples with a similar cost in any dimension: 2·10⁶ components, at least 20,000 and at most 10⁶ states.
int default_samples(int dimension);

/// Tests of a score on states that were not used in its fit.
struct Certificate {
  std::vector<CertificateTest> checks;  ///< mean, covariance, Stein, stationarity, Langevin
  std::vector<Marginal> marginals;      ///< compared in the check "Langevin"
  /// For responses to the drift: the worst verdict of all checks except stationarity; unresolved if cancelled.
  Verdict overall = Verdict::not_applicable;
  /// For responses to noise amplitudes, which require the square and the derivative of the score at every state:
  /// includes stationarity; never passed if that was not tested.
  Verdict noise_responses = Verdict::not_applicable;
  bool cancelled = false;
  std::size_t samples = 0;               ///< number of held-out states used
  std::optional<Divergence> divergence;  ///< <∇·s>; empty if the field has no derivative
  std::size_t escaped_chains = 0;
  double langevin_time = 0;       ///< simulated time of the chains
  std::uint64_t evaluations = 0;  ///< approximate number of evaluations of the score
  double wall_seconds = 0;

  const CertificateTest* find(const std::string& name) const;  ///< null if there is no such check
};

/// `held_out` must not have been used in the fit. Without a model the stationarity residual is not tested. Throws Error
/// for invalid options and if score, samples and model are incompatible. Results do not depend on the number of
/// threads.
Certificate certify(const Field& field, const Samples& held_out, const symbolic::Model* model,
                    const CertificateOptions& options = {}, const ProgressListener& progress = {},
                    const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

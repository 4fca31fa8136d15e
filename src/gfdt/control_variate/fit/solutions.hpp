#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"
#include "gfdt/control_variate/fit/sample_sums.hpp"
#include "gfdt/control_variate/fit/soundness.hpp"

namespace gfdt::control_variate {

/// Functions u = Σ c φ that nearly solve L u = <A> − A for every observable, for use on one half of the groups of
/// samples each: `fits[half]` was fitted on the other half.
class Solutions {
 public:
  /// Throws Error where an observable or a function of the dictionary is not finite at some samples.
  Solutions(const Question& question, const score::Samples& samples, const DictionaryValues& values,
            std::vector<std::size_t> sizes);

  const Question& question;
  const score::Samples& samples;
  const DictionaryValues& values;
  std::size_t groups;
  SampleSums observed;                         ///< of the observables
  std::vector<std::size_t> sizes;              ///< of sets of functions
  std::vector<std::vector<double>> inflation;  ///< of errors with each of them, [half]
  std::vector<RidgeRegression> regressions;    ///< that make the coefficients for each half
  std::vector<RidgeFit> fits;

  std::size_t half(std::size_t group) const { return half_of(group, groups); }

  /// Of errors of an observable: of the fit that leaves more of it, mainly.
  double inflation_of(std::size_t observable) const;
  /// sd(A + L u)/sd(A) on samples that were not fitted, root mean square of both fits.
  double share_of(std::size_t observable) const;
  /// sd(A) over the samples.
  double deviation_of(std::size_t observable) const;
  /// Whether A + L u is constant but for rounding, and so at states that the run has not visited.
  bool is_exact(std::size_t observable) const;
  /// Inflates what either half of the groups adds to the variance of an average by its own fit.
  void inflate(std::size_t observable, Averaged& average) const;

  /// [half][observable][function], as DictionaryValues::changed takes them.
  std::vector<double> coefficients() const;
};

/// The average over groups, with its influences.
Averaged averaged(const std::vector<double>& of_group);

/// Σ c_k means_k of a target.
double correction(const std::vector<double>& means, const Eigen::MatrixXd& coefficients, std::size_t target);

/// Adds the error of one excursion that the run may have missed, as long as the model remembers.
void add_missed(const Question& question, const std::vector<double>& deviations, std::vector<Averaged>& to);

}  // namespace gfdt::control_variate

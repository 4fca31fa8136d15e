#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"
#include "gfdt/control_variate/fit/sample_sums.hpp"
#include "gfdt/control_variate/fit/soundness.hpp"

namespace gfdt::control_variate {

/// Functions u = Σ c φ that approximately solve L u = <A> − A for every observable, one set per half of the groups of
/// samples: `fits[half]` is fitted on the other half and used on this one.
class Solutions {
 public:
  /// Throws Error if an observable or a function of the dictionary is not finite at a sample.
  Solutions(const Request& request, const score::Samples& samples, const DictionaryValues& values,
            std::vector<std::size_t> sizes);

  const Request& request;
  const score::Samples& samples;
  const DictionaryValues& values;
  std::size_t groups;
  SampleSums observed;                         ///< sums for the observables
  std::vector<std::size_t> sizes;              ///< sizes of the nested sets of functions
  std::vector<std::vector<double>> inflation;  ///< inflation of errors, [half][set of functions]
  std::vector<RidgeRegression> regressions;    ///< the regression for each half
  std::vector<RidgeFit> fits;                  ///< [half]

  std::size_t half(std::size_t group) const { return half_of(group, groups); }

  /// Inflation of the errors of an observable, dominated by the fit with the larger residual.
  double inflation_of(std::size_t observable) const;
  /// sd(A + L u)/sd(A) on samples not used in the fit, as the root mean square of both fits.
  double share_of(std::size_t observable) const;
  /// sd(A) over the samples.
  double deviation_of(std::size_t observable) const;
  /// Whether A + L u is constant to rounding, and therefore also at states that the run has not visited.
  bool is_exact(std::size_t observable) const;
  /// Inflates the contribution of each half of the groups to the variance of an average, according to its fit.
  void inflate(std::size_t observable, Averaged& average) const;

  /// [half][observable][function], the layout that DictionaryValues::changed expects.
  std::vector<double> coefficients() const;
};

/// The average over groups, with its influences.
Averaged averaged(const std::vector<double>& of_group);

/// Σ c_k means_k of a target.
double correction(const std::vector<double>& means, const Eigen::MatrixXd& coefficients, std::size_t target);

/// Adds the error due to one excursion that the run may have missed, of a duration proportional to the autocorrelation
/// time.
void add_missed(const Request& request, const std::vector<double>& deviations, std::vector<Averaged>& to);

}  // namespace gfdt::control_variate

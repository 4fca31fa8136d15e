#pragma once

#include <string>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// The score of a Gaussian with mean m and precision P, the inverse of its covariance: s = −P(x − m), ∇s = −P.
class GaussianField : public Field {
 public:
  /// `precision` is [row][column]. Throws Error unless it is finite and symmetric and matches the size of the mean.
  GaussianField(std::vector<double> mean, std::vector<double> precision, std::string description);

  const std::vector<double>& mean() const { return mean_; }
  std::vector<double> precision() const;

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  std::string description() const override { return description_; }

 private:
  std::vector<double> mean_;
  std::vector<double> jacobian_;  ///< −P
  std::string description_;
};

/// The inverse of a covariance matrix. Throws Error with the names of the components if it is singular; `remedy` is the
/// advice in the message.
std::vector<double> inverse_covariance(const std::vector<double>& covariance, const std::vector<std::string>& names,
                                       const std::string& remedy);

/// The Gaussian with the mean and the covariance of the samples; on a ring, with their averages over translations. It
/// satisfies −<(x − m) sᵀ> = I on these samples. Throws Error if the covariance is singular.
GaussianField fit_gaussian(const Samples& samples);

}  // namespace gfdt::score

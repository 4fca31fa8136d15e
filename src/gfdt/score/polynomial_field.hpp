#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/score/field.hpp"
#include "gfdt/score/monomials.hpp"
#include "gfdt/score/normalisation.hpp"

namespace gfdt::score {

/// Numbers behind a polynomial that is added to a score.
struct PolynomialPart {
  int degree = 1;
  Normalisation normalisation;
  std::vector<double> lowest, highest;  ///< of the normalised components among the samples: beyond, it is held fixed
  std::vector<double> coefficients;     ///< [component][monomial], of normalised scores by normalised components
};

/// Another field plus a polynomial of the state.
class PolynomialField : public Field {
 public:
  PolynomialField(std::shared_ptr<const Field> base, PolynomialPart part);

  const std::shared_ptr<const Field>& base() const { return base_; }
  const PolynomialPart& part() const { return part_; }

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  int probes() const override { return base_->probes(); }
  std::string description() const override;

 private:
  /// Adds the polynomials of `rows` to s, and those of `entries` to their values.
  void add(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s, double* values) const;

  std::shared_ptr<const Field> base_;
  PolynomialPart part_;
  Monomials monomials_;
  std::vector<double> rows_;    ///< [component][monomial], in the units of the state
  std::vector<double> slopes_;  ///< [component][component][monomial], likewise
};

}  // namespace gfdt::score

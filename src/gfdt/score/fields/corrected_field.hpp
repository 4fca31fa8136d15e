#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// W s of another field s. If W is full or circulant, an entry of the Jacobian depends on all rows of that column of
/// the other Jacobian; if W is diagonal, it depends only on the same entry.
class CorrectedField : public Field {
 public:
  /// `matrix`: W, [row][column]. Throws Error unless it is finite and of the size of the field.
  CorrectedField(std::shared_ptr<const Field> base, std::vector<double> matrix);

  const std::shared_ptr<const Field>& base() const { return base_; }
  const std::vector<double>& matrix() const { return matrix_; }

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  int probes() const override { return base_->probes(); }
  int best_lanes() const override { return base_->best_lanes(); }
  std::string description() const override { return base_->description() + ", linearly corrected"; }

 private:
  std::vector<JacobianEntry> needed(std::span<const JacobianEntry> entries) const;
  std::shared_ptr<const Field> base_;
  std::vector<double> matrix_;
};

}  // namespace gfdt::score

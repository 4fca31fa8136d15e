#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// The mean of several scores of the same density, such as those fitted on different halves of the data.
class MeanField : public Field {
 public:
  explicit MeanField(std::vector<std::shared_ptr<const Field>> fields);

  const std::vector<std::shared_ptr<const Field>>& fields() const { return fields_; }

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override;
  int probes() const override;
  std::string description() const override;

 private:
  std::vector<std::shared_ptr<const Field>> fields_;
};

}  // namespace gfdt::score

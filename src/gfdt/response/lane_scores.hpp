#pragma once

#include <span>
#include <vector>

#include "gfdt/score/field.hpp"

namespace gfdt::response {

using score::Field;
using score::JacobianEntry;

/// Scores of a block of members whose lanes may have different fields.
class LaneScores {
 public:
  LaneScores() = default;
  explicit LaneScores(std::span<const Field* const> field_of_lane);

  std::size_t width() const { return width_; }
  /// States that its fields would like to have at a time.
  std::size_t best_width() const;
  /// The same lanes so many times side by side.
  LaneScores repeated(std::size_t times) const;

  /// s, [row][lane], and where there are entries those of ∇s, [entry][lane].
  void evaluate(const double* x, std::span<const JacobianEntry> entries, double* s, double* values);

 private:
  struct Part {
    const Field* field;
    std::vector<std::size_t> lanes;
    std::vector<double> x, s, values;
  };
  std::size_t width_ = 0;
  std::vector<Part> parts_;
};

}  // namespace gfdt::response

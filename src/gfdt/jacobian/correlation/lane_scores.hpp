#pragma once

#include <span>
#include <vector>

#include "gfdt/score/fields/field.hpp"

namespace gfdt::jacobian {

using score::Field;
using score::JacobianEntry;

/// Scores of a block of members whose lanes may have different fields.
class LaneScores {
 public:
  LaneScores() = default;
  explicit LaneScores(std::span<const Field* const> field_of_lane);

  std::size_t width() const { return width_; }
  /// Number of states per evaluation that is most efficient for the fields.
  std::size_t best_width() const;
  /// The same lanes, repeated `times` times.
  LaneScores repeated(std::size_t times) const;

  /// Computes s, [row][lane], and, if entries are given, these entries of ∇s, [entry][lane].
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

/// Scores of many samples of a block in one evaluation, for fields on a device.
class ScoresOfSamples {
 public:
  /// x: the states of each sample, [row][lane].
  void evaluate(const LaneScores& scores, int dimension, std::span<const double* const> x,
                std::span<const JacobianEntry> entries);

  /// Copies the results of one sample.
  void give(std::size_t sample, double* s, double* entries) const;

 private:
  std::vector<double> x_, s_, entries_;
  std::size_t lanes_ = 0, wide_ = 0;
};

}  // namespace gfdt::jacobian

#pragma once

#include <memory>

#include "gfdt/jacobian/correlation/snapshots.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::response {

using score::Field;

/// The model with time, if it is a state, as a parameter instead.
symbolic::Model at_fixed_time(symbolic::Model model);

/// A range of members.
struct MemberRange {
  std::size_t begin = 0, end = 0;
  bool contains(std::size_t member) const { return member >= begin && member < end; }
};

/// Scores of the distribution of an ensemble at each of its snapshots, as fields over all states of the model; the
/// component for time is zero. Throws Error if states do not vary.
class ScoresInTime {
 public:
  /// `snapshots` must contain states; both arguments must outlive this object.
  ScoresInTime(const symbolic::Model& model, const jacobian::SnapshotSink& snapshots);

  /// The Gaussian score with the mean and covariance of all members except those left out.
  std::shared_ptr<const Field> gaussian(std::size_t sample, const MemberRange& left_out) const;
  /// A score fitted to a range of members.
  std::shared_ptr<const Field> fitted(std::size_t sample, const MemberRange& members,
                                      const score::Options& options) const;

 private:
  const jacobian::SnapshotSink& snapshots_;
  symbolic::Model model_;  ///< with time as a parameter
  std::vector<std::string> names_;
  std::size_t rows_;      ///< without time
  std::size_t all_rows_;  ///< including time
};

}  // namespace gfdt::response

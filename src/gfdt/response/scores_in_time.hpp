#pragma once

#include <memory>

#include "gfdt/jacobian/correlation/snapshots.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::response {

using score::Field;

/// The model with its time, if it has one, as a parameter instead of the last of its states.
symbolic::Model at_fixed_time(symbolic::Model model);

/// A range of members.
struct MemberRange {
  std::size_t begin = 0, end = 0;
  bool contains(std::size_t member) const { return member >= begin && member < end; }
};

/// Scores of the law of an ensemble at each of its snapshots, as fields over all states of the model: the component of
/// the time is zero. Throw Error where states do not vary.
class ScoresInTime {
 public:
  /// `snapshots` hold states; all must outlive it.
  ScoresInTime(const symbolic::Model& model, const jacobian::SnapshotSink& snapshots);

  /// The Gaussian with the mean and covariance of all members but those left out.
  std::shared_ptr<const Field> gaussian(std::size_t sample, const MemberRange& left_out) const;
  /// A score fitted to some of the members.
  std::shared_ptr<const Field> fitted(std::size_t sample, const MemberRange& members,
                                      const score::Options& options) const;

 private:
  const jacobian::SnapshotSink& snapshots_;
  symbolic::Model model_;  ///< at a fixed time
  std::vector<std::string> names_;
  std::size_t rows_;      ///< without the time
  std::size_t all_rows_;  ///< with it
};

}  // namespace gfdt::response

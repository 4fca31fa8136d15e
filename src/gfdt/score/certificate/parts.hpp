#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// A range [begin, end), of samples unless stated otherwise.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

/// Samples divided into parts with independent averages, used for error bars and as units of work.
struct Parts {
  std::vector<Part> list;
  bool independent = true;  ///< false if there were too few groups, so that segments of a group are treated as
                            ///< independent

  std::size_t size() const { return list.size(); }
  double samples() const;
  /// Consecutive parts, [begin, end) of the list, combined until they hold at least `samples` samples (except the
  /// last): units of work.
  std::vector<Part> joined(std::size_t samples) const;
};

/// Combines groups into at most `most` parts of about equal size. Fewer than eight groups are divided into segments,
/// sixteen parts in total if there are enough samples.
Parts parts_of(const Samples& samples, std::size_t most);

/// At most `most` of the samples, evenly spaced.
Samples thinned(const Samples& samples, std::size_t most);

/// Σ_p a_p / Σ_p b_p over parts, and its standard error from the spread of a_p − ratio·b_p:
///   se² = P/(P−1) Σ_p (a_p − ratio·b_p)² / (Σ_p b_p)²
/// If b_p are the sizes of the parts, the ratio is the mean of a. The standard error is NaN for a single part.
struct Ratio {
  double value = 0;
  double standard_error = 0;
};
Ratio ratio_over_parts(std::span<const double> numerators, std::span<const double> denominators);

}  // namespace gfdt::score

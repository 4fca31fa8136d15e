#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// Consecutive ones [begin, end), of samples unless another thing is named.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

/// Samples cut into parts whose averages are independent, for error bars and as units of work.
struct Parts {
  std::vector<Part> list;
  bool independent = true;  ///< false where groups were so few that segments of one stand for independent ones

  std::size_t size() const { return list.size(); }
  double samples() const;
  /// Consecutive parts, [begin, end) of the list, joined until they hold `samples` or are the last: units of work.
  std::vector<Part> joined(std::size_t samples) const;
};

/// Groups joined until at most `most` parts of about equal size are left. Fewer than eight groups are cut into
/// segments, sixteen parts in all where there are as many samples.
Parts parts_of(const Samples& samples, std::size_t most);

/// At most `most` of the samples, evenly spread.
Samples thinned(const Samples& samples, std::size_t most);

/// Σ_p a_p / Σ_p b_p over parts, and its standard error from the spread of a_p − ratio·b_p:
///   se² = P/(P−1) Σ_p (a_p − ratio·b_p)² / (Σ_p b_p)²
/// With b_p the sizes of the parts it is the mean of a. NaN for a single part.
struct Ratio {
  double value = 0;
  double standard_error = 0;
};
Ratio ratio_over_parts(std::span<const double> numerators, std::span<const double> denominators);

}  // namespace gfdt::score

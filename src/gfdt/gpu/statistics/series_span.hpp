#pragma once

// Shared by host and device code.
namespace gfdt_device {

/// Number of parts into which the time of a member is divided, as in SeriesSums.
constexpr unsigned series_parts = 15;

/// Samples of a record that a launch adds to sums of series.
struct SeriesSpan {
  unsigned long long stride;  ///< distance in numbers between the records of neighbouring blocks
  unsigned long long first_sample, samples;
  unsigned long long group, groups;  ///< samples per group, and number of groups
  unsigned blocks, levels;
  unsigned slots;  ///< numbers stored per quantity and member
};

}  // namespace gfdt_device

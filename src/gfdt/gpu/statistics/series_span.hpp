#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Parts of the time of a member, as SeriesSums has them.
constexpr unsigned series_parts = 15;

/// Samples of a record that a launch adds to sums of series.
struct SeriesSpan {
  unsigned long long stride;  ///< numbers between the records of neighbouring blocks
  unsigned long long first_sample, samples;
  unsigned long long group, groups;  ///< samples of a group, and groups
  unsigned blocks, levels;
  unsigned slots;  ///< numbers that are kept of a quantity of a member
};

}  // namespace gfdt_device

#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to sums of series.
struct SeriesSpan {
  unsigned long long stride;  ///< numbers between the records of neighbouring blocks
  unsigned long long first_sample, samples;
  unsigned long long group, groups;  ///< samples of a group, and groups
  unsigned blocks, levels;
};

}  // namespace gfdt_device

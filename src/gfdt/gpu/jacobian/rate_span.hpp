#pragma once

// Shared by host and device code.
namespace gfdt_device {

/// Samples of a record whose weights a launch converts to rates.
struct RateSpan {
  unsigned long long from_stride, to_stride, samples;
  double inverse_interval;
  unsigned blocks, rows, own_rows;
  unsigned held;  ///< a sample of the previous launch is pending
  unsigned last;  ///< these are the last samples
};

}  // namespace gfdt_device

#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Samples of a record whose weights a launch turns into rates.
struct RateSpan {
  unsigned long long from_stride, to_stride, samples;
  double inverse_interval;
  unsigned blocks, rows, own_rows;
  unsigned held;  ///< a sample waits from before
  unsigned last;  ///< there will be no more
};

}  // namespace gfdt_device

#pragma once

// Shared by host and device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to the products at many lags.
struct LagSpan {
  unsigned long long stride;   ///< distance in numbers between the records of neighbouring blocks
  unsigned long long samples;  ///< number of samples, starting at `from`
  unsigned from;
  unsigned pending;  ///< samples whose signals belong to an incomplete bin
  unsigned threads, bin, bins, reach;
};

}  // namespace gfdt_device

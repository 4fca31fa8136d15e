#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to products at many lags.
struct LagSpan {
  unsigned long long stride;   ///< of the record
  unsigned long long samples;  ///< of the record, from `from` on
  unsigned from;
  unsigned pending;  ///< samples whose signals wait for their bin to be full
  unsigned threads, bin, bins, reach;
};

}  // namespace gfdt_device

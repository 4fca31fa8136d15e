#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to the autocovariance of a field.
struct AutocovarianceSpan {
  unsigned long long stride;   ///< numbers between the records of neighbouring blocks
  unsigned long long from;     ///< the first of these samples in the record
  unsigned long long samples;  ///< their number
  unsigned long long seen;     ///< samples that came before them
  unsigned threads, lags;
};

}  // namespace gfdt_device

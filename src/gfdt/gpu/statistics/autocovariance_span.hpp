#pragma once

// Shared by host and device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to the autocovariance of a field.
struct AutocovarianceSpan {
  unsigned long long stride;   ///< distance in numbers between the records of neighbouring blocks
  unsigned long long from;     ///< index of the first of these samples in the record
  unsigned long long samples;  ///< number of samples
  unsigned long long seen;     ///< number of samples before these
  unsigned threads, lags;
};

}  // namespace gfdt_device

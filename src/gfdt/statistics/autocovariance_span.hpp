#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Samples of a record that a launch adds to the autocovariance of a field.
struct AutocovarianceSpan {
  unsigned long long stride;   ///< of the record
  unsigned long long samples;  ///< of the record, from `from` on
  unsigned long long from;
  unsigned long long seen;  ///< samples that came before
  unsigned threads, lags;
};

}  // namespace gfdt_device

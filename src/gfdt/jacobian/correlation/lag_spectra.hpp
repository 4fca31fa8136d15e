#pragma once

#include <memory>

#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/statistics/series/lagged_products.hpp"

namespace gfdt::jacobian {

/// The sums of LagProducts for thousands of lags. Bins are multiplied by their Fourier transforms, so that the cost per
/// sample and pair of rows does not depend on the number of lags. Squares are not computed.
class LagSpectra {
 public:
  LagSpectra(const SignalShape& shape, const LagBins& bins);

  /// See LagProducts::add.
  void add(const double* later, const double* earlier, std::uint64_t samples);
  /// See LagProducts::finish.
  std::vector<LagSums> finish();

 private:
  void add_samples(const double* later, const double* earlier, std::uint64_t samples);

  SignalShape shape_;
  LagBins bins_;
  std::size_t later_size_, earlier_size_;
  int in_bin_ = 0;
  std::unique_ptr<statistics::LaggedProducts> spectra_;
  codegen::AlignedArray<double> later_bin_, earlier_bin_;  ///< the open bin
  codegen::AlignedArray<double> half_;                     ///< [earlier][lane]
  codegen::AlignedArray<double> same_bin_;                 ///< products of node 0, [later][earlier][lane]
};

/// Bins that cover lags up to `longest`: one sample long if `most_nodes` and the memory for eight members permit it,
/// otherwise longer.
LagBins fine_bins_reaching(double longest, double interval, const SignalShape& shape);
inline constexpr int most_nodes = 4096;
inline constexpr std::size_t most_bytes_of_eight = std::size_t{32} << 20;

}  // namespace gfdt::jacobian

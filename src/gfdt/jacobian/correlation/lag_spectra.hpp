#pragma once

#include <memory>

#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/statistics/series/lagged_products.hpp"

namespace gfdt::jacobian {

/// The sums of LagProducts for thousands of lags: bins are multiplied by their spectra, so that the work a sample and
/// pair does not depend on the number of lags. Squares are left out.
class LagSpectra {
 public:
  LagSpectra(const SignalShape& shape, const LagBins& bins);

  /// As LagProducts::add.
  void add(const double* later, const double* earlier, std::uint64_t samples);
  /// As LagProducts::finish.
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

/// Bins that reach as far as `longest`: each a sample long where `most_nodes` and the memory of eight members allow it,
/// else longer.
LagBins fine_bins_reaching(double longest, double interval, const SignalShape& shape);
inline constexpr int most_nodes = 4096;
inline constexpr std::size_t most_bytes_of_eight = std::size_t{32} << 20;

}  // namespace gfdt::jacobian

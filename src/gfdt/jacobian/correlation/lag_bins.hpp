#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/parallel/parcel.hpp"

namespace gfdt::jacobian {

/// Bins of time and lag.
struct LagBins {
  int samples = 1;      ///< samples per bin; a power of two
  int bins = 1;         ///< lags reach from 0 to `bins` bins
  double interval = 1;  ///< sampling interval

  double width() const { return samples * interval; }
  double longest() const { return bins * width(); }
  /// Nodes t = 0, width, …, longest.
  std::size_t nodes() const { return static_cast<std::size_t>(bins) + 1; }
};

/// About `wanted_bins` bins that cover lags up to `longest`.
inline constexpr int wanted_bins = 48;
LagBins bins_reaching(double longest, double interval);

/// Rows of signals that are multiplied along a run.
struct SignalShape {
  int later = 0;      ///< observables, including the constant 1 as the first row
  int monitored = 0;  ///< further rows for which only autocorrelations are computed
  int earlier = 0;    ///< conjugates, including their constants
  int lanes = 0;

  int later_rows() const { return later + monitored; }
};

/// Sums over one segment of a member, or over several segments.
struct LagSums {
  std::uint64_t segments = 0;
  std::uint64_t bins = 0;         ///< number of time bins in all segments
  std::vector<double> products;   ///< [node][later][earlier]
  std::vector<double> squares;    ///< [node][later and monitored]: products of bins of the same row
  std::vector<double> later_sum;  ///< of all samples
  std::vector<double> earlier_sum;
  std::vector<double> moments;  ///< products at equal times, present with a basis (moment_sums.hpp)

  void add(const LagSums& other);
  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);
};

/// Products of observables A and earlier conjugates g, accumulated while samples of a block of members stream by, so
/// that
///   ∫₀^∞ w(t) <A(t) g(0)> dt
/// can be evaluated for every weight w that is piecewise linear between nodes. Both signals are summed over bins of k
/// samples. A share max(0, 1 − |l − Mk|/k) of the pairs of samples at lag l lies in bins that are M apart; this is the
/// hat function of node M, and hence the weight of <A(l) g(0)> in the products of such bins. Within one bin only pairs
/// in which A is not earlier than g are used, with weight ½ at equal times: the half hat of node 0 by the trapezoidal
/// rule. The cost is O(1 + bins/k) per sample and pair of rows. Every pair of samples is used once.
class LagProducts {
 public:
  LagProducts(const SignalShape& shape, const LagBins& bins);

  /// later[sample][row][lane], earlier[sample][row][lane]. Pass all samples of a segment before finish(), except those
  /// after its last whole bin.
  void add(const double* later, const double* earlier, std::uint64_t samples);

  /// Ends a segment, so that later products do not include its samples. Returns the sums of each lane.
  std::vector<LagSums> finish();

 private:
  void close_bin();
  void multiply_bins();

  SignalShape shape_;
  LagBins bins_;
  std::size_t later_size_, earlier_size_, pairs_;
  int in_bin_ = 0;
  int pending_ = 0;  ///< bins that are complete but not yet multiplied
  std::uint64_t closed_ = 0;
  codegen::AlignedArray<double> half_;                     ///< [sample][earlier][lane]
  codegen::AlignedArray<double> later_bin_, earlier_bin_;  ///< the open bin
  codegen::AlignedArray<double> later_bins_,
      earlier_bins_;  ///< [bin][row][lane]: bins within reach of the lags, then the pending bins
  codegen::AlignedArray<double> products_, squares_;
  codegen::AlignedArray<double> later_sum_, earlier_sum_;
};

}  // namespace gfdt::jacobian

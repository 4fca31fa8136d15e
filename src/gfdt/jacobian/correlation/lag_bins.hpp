#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/parallel/parcel.hpp"

namespace gfdt::jacobian {

/// How time and lags are cut into bins.
struct LagBins {
  int samples = 1;      ///< in a bin; a power of two
  int bins = 1;         ///< lags reach from 0 to `bins` bins
  double interval = 1;  ///< between samples

  double width() const { return samples * interval; }
  double longest() const { return bins * width(); }
  /// Nodes t = 0, width, …, longest.
  std::size_t nodes() const { return static_cast<std::size_t>(bins) + 1; }
};

/// Bins that reach as far as `longest`, about `wanted_bins` of them.
inline constexpr int wanted_bins = 48;
LagBins bins_reaching(double longest, double interval);

/// Rows of numbers, one a quantity, that are multiplied along a run.
struct SignalShape {
  int later = 0;      ///< observables, the first of them the constant 1
  int monitored = 0;  ///< further rows beside them, of which only autocorrelations are wanted
  int earlier = 0;    ///< conjugates and their constants
  int lanes = 0;

  int later_rows() const { return later + monitored; }
};

/// What is kept of a segment of a member, or of several together.
struct LagSums {
  std::uint64_t segments = 0;
  std::uint64_t bins = 0;         ///< of time, in all of them
  std::vector<double> products;   ///< [node][later][earlier]
  std::vector<double> squares;    ///< [node][later and monitored]: of bins of one and the same row
  std::vector<double> later_sum;  ///< of all samples
  std::vector<double> earlier_sum;
  std::vector<double> moments;  ///< products at the same time, where there is a basis (moment_sums.hpp)

  void add(const LagSums& other);
  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);
};

/// Products of observables A and earlier conjugates g, added up as samples of a block of members stream by, so that
///   ∫₀^∞ w(t) <A(t) g(0)> dt
/// is known for every weight w that is linear between nodes. Both are summed over bins of k samples. Of the pairs of
/// samples at lag l a share of max(0, 1 − |l − Mk|/k), the hat function of node M, stand in bins M apart: that is the
/// weight with which products of such bins hold <A(l) g(0)>. Those of one and the same bin are taken with A not before
/// g, and half of the products at the same time: the half hat of node 0, by the trapezoidal rule. Work is
/// O(1 + bins/k) a sample and pair, and every pair of samples enters once.
class LagProducts {
 public:
  LagProducts(const SignalShape& shape, const LagBins& bins);

  /// later[sample][row][lane], earlier[sample][row][lane]. All samples of a segment come before finish(); those past
  /// its last whole bin must not be handed over.
  void add(const double* later, const double* earlier, std::uint64_t samples);

  /// Ends a segment: later products do not reach back before it. Returns the sums of each lane.
  std::vector<LagSums> finish();

 private:
  void close_bin();
  void multiply_bins();

  SignalShape shape_;
  LagBins bins_;
  std::size_t later_size_, earlier_size_, pairs_;
  int in_bin_ = 0;
  int pending_ = 0;  ///< bins closed but not multiplied
  std::uint64_t closed_ = 0;
  codegen::AlignedArray<double> half_;                     ///< [sample][earlier][lane]
  codegen::AlignedArray<double> later_bin_, earlier_bin_;  ///< the open bin
  codegen::AlignedArray<double> later_bins_,
      earlier_bins_;  ///< [bin][row][lane]: those that lags reach, then the pending
  codegen::AlignedArray<double> products_, squares_;
  codegen::AlignedArray<double> later_sum_, earlier_sum_;
};

}  // namespace gfdt::jacobian

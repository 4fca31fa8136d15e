#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/statistics/correlation.hpp"
#include "gfdt/statistics/series/spectrum.hpp"

namespace gfdt::statistics {

/// Accumulates lagged products of all pairs of a later and an earlier quantity while the samples of a block arrive,
/// over all times whose lag does not reach before the first sample. The work per sample and pair does not depend on the
/// number of lags: the stream is divided into chunks, the spectra of the chunks are multiplied, and the sum is
/// transformed back once.
class LaggedProducts {
 public:
  /// Lags 0 … lags − 1.
  LaggedProducts(int later, int earlier, int lanes, int lags, lanes::Isa isa = lanes::best_isa());

  /// Memory of one object in bytes; the result of finish() takes additional memory, less than half as much.
  static std::size_t bytes(int later, int earlier, int lanes, int lags);

  /// Sample n of the later quantities is [later][lane] at later + n·later_stride; the earlier quantities are stored
  /// likewise. A stride of 0 stands for contiguous samples.
  template <class T>
  void add(const T* later, const T* earlier, std::uint64_t samples, std::size_t later_stride = 0,
           std::size_t earlier_stride = 0);

  /// The sums of each lane. Nothing can be added after this.
  std::vector<LaggedSums> finish();

 private:
  /// The samples of the current chunk minus the first sample of all, so that products of large numbers do not cancel.
  /// Eight lanes form a group.
  struct Rows {
    std::size_t rows, chunk;
    codegen::AlignedArray<double> reference;  ///< [group][row][lane]
    codegen::AlignedArray<double> total;      ///< sums over the completed chunks, [group][row][lane]
    codegen::AlignedArray<double> samples;    ///< [group][row][time][lane]

    Rows(std::size_t rows, std::size_t groups, std::size_t chunk);
    template <class T>
    void put(const T* values, std::size_t lanes, std::size_t time, bool first);
    /// Ends the chunk after `length` samples.
    void close(std::size_t length);
  };

  void close_chunk();
  void read_products(std::size_t group, std::vector<LaggedSums>& lanes);
  void read_edges(std::size_t lane, LaggedSums& sums) const;

  std::size_t lanes_, lags_, chunk_, groups_;
  Spectrum spectrum_;
  Rows later_, earlier_;
  std::uint64_t samples_ = 0;
  codegen::AlignedArray<double> first_;                            ///< the first chunk of the later rows
  codegen::AlignedArray<double> last_;                             ///< the last complete chunk of the earlier rows
  codegen::AlignedArray<double> later_spectra_, earlier_spectra_;  ///< of one group, [row][point]
  codegen::AlignedArray<double> before_;                           ///< of the last complete chunk, [group][row][point]
  codegen::AlignedArray<double> sum_;                              ///< [group][point][later][earlier]
};

}  // namespace gfdt::statistics

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// Sums over samples, accumulated in blocks that depend only on the number of samples, so that the result does not
/// depend on the number of threads. `add` adds the samples [begin, end) to `totals`. `threads` 0: all available.
using AddRange = std::function<void(std::size_t begin, std::size_t end, double* totals)>;
std::vector<double> sum_over_samples(std::size_t samples, std::size_t totals, const AddRange& add, int threads = 0);

struct Moments {
  std::vector<double> mean;
  std::vector<double> covariance;  ///< [row][column], <(x − m)(x − m)ᵀ>
};
Moments moments_of(const Samples& samples, int threads = 0);

/// Averages moments over translations: the mean is that of the field, and the covariance depends only on the distance
/// of two sites. Does nothing for an arrangement without a lattice.
Moments averaged_over_translations(const Arrangement& arrangement, Moments moments);

/// M_(a,k)(b,k+r) averaged over the sites k, and used at each k: a matrix [row][column] that commutes with
/// translations.
std::vector<double> circulant_part(const Arrangement& arrangement, const std::vector<double>& matrix);

/// Copies the states `first`, `first` + 1, … of the samples to a block, [row][lane].
void copy_rows(const Samples& samples, std::size_t first, int lanes, double* x);

}  // namespace gfdt::score

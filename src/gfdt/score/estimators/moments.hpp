#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// Sums over samples, added up in blocks whose bounds depend on the number of samples alone: the same on any number of
/// threads. `add` adds the samples [begin, end) to `totals`. `threads` 0: all there are.
using AddRange = std::function<void(std::size_t begin, std::size_t end, double* totals)>;
std::vector<double> sum_over_samples(std::size_t samples, std::size_t totals, const AddRange& add, int threads = 0);

struct Moments {
  std::vector<double> mean;
  std::vector<double> covariance;  ///< [row][column], <(x − m)(x − m)ᵀ>
};
Moments moments_of(const Samples& samples, int threads = 0);

/// Average over translations: the mean is that of the field, the covariance about it depends on the distance of two
/// sites alone. Leaves an arrangement without a lattice as it is.
Moments averaged_over_translations(const Arrangement& arrangement, Moments moments);

/// M_(a,k)(b,k+r), averaged over the sites k, at each k: a matrix [row][column] that commutes with translations.
std::vector<double> circulant_part(const Arrangement& arrangement, const std::vector<double>& matrix);

/// The states `first`, `first` + 1, … of the samples as a block, [row][lane].
void copy_rows(const Samples& samples, std::size_t first, int lanes, double* x);

}  // namespace gfdt::score

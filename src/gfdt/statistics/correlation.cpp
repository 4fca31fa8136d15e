#include "gfdt/statistics/correlation.hpp"

#include <cmath>

namespace gfdt::statistics {

LaggedSums::LaggedSums(std::size_t later_rows, std::size_t earlier_rows, std::size_t lag_count)
    : lags(lag_count),
      count(lags, 0.0),
      product(later_rows * earlier_rows * lags, 0.0),
      later(later_rows * lags, 0.0),
      earlier(earlier_rows * lags, 0.0),
      later_reference(later_rows, 0.0),
      earlier_reference(earlier_rows, 0.0) {}

LaggedSums::Entry LaggedSums::entry(std::size_t m, std::size_t j, std::size_t lag, double later_zero,
                                    double earlier_zero) const {
  double n = count[lag], a = later[m * lags + lag], b = earlier[j * lags + lag];
  double da = later_reference[m] - later_zero, db = earlier_reference[j] - earlier_zero;
  double ab = product[(m * earlier_reference.size() + j) * lags + lag];
  return {n, ab + da * b + db * a + n * da * db, a + n * da, b + n * db};
}

void LaggedSums::pack(Packer& packer) const {
  packer.put(lags);
  for (const auto* table : {&count, &product, &later, &earlier, &later_reference, &earlier_reference})
    packer.put(*table);
}

void LaggedSums::unpack(Unpacker& unpacker) {
  unpacker.get(lags);
  for (auto* table : {&count, &product, &later, &earlier, &later_reference, &earlier_reference}) unpacker.get(*table);
}

LaggedSums& LaggedSums::operator+=(const LaggedSums& other) {
  if (lags == 0) return *this = other;
  std::size_t later_rows = later_reference.size(), earlier_rows = earlier_reference.size();
  for (std::size_t lag = 0; lag < lags; ++lag) {
    for (std::size_t m = 0; m < later_rows; ++m)
      for (std::size_t j = 0; j < earlier_rows; ++j) {
        Entry sum = other.entry(m, j, lag, later_reference[m], earlier_reference[j]);
        product[(m * earlier_rows + j) * lags + lag] += sum.product;
        if (j == 0) later[m * lags + lag] += sum.later;
        if (m == 0) earlier[j * lags + lag] += sum.earlier;
      }
    count[lag] += other.count[lag];
  }
  return *this;
}

LaggedCorrelation lagged_correlation(std::span<const LaggedSums> groups, std::size_t m, std::size_t j,
                                     double interval) {
  LaggedCorrelation result{.interval = interval, .value = {}, .standard_error = {}};
  if (groups.empty()) return result;
  for (std::size_t lag = 0; lag < groups[0].lags; ++lag) {
    std::vector<LaggedSums::Entry> sums;
    for (const LaggedSums& group : groups)
      if (group.count[lag] > 0)
        sums.push_back(group.entry(m, j, lag, groups[0].later_reference[m], groups[0].earlier_reference[j]));
    double count = 0, mean_a = 0, mean_b = 0;
    for (const LaggedSums::Entry& s : sums) {
      count += s.count;
      mean_a += s.later;
      mean_b += s.earlier;
    }
    mean_a /= count;
    mean_b /= count;
    // Σ (A − <A>)(B − <B>) over a group
    auto covariance = [&](const LaggedSums::Entry& s) {
      return s.product - mean_a * s.earlier - mean_b * s.later + s.count * mean_a * mean_b;
    };
    double value = 0, squares = 0, square_count = 0;
    for (const LaggedSums::Entry& s : sums) value += covariance(s);
    value /= count;
    // The mean over a group with count n has the variance σ²/n: E[squares] = σ²/count (count² − Σ n²).
    for (const LaggedSums::Entry& s : sums) {
      squares += std::pow(covariance(s) - s.count * value, 2);
      square_count += s.count * s.count;
    }
    result.value.push_back(value);
    result.standard_error.push_back(sums.size() > 1 ? std::sqrt(squares / (count * count - square_count))
                                                    : std::nan(""));
  }
  return result;
}

}  // namespace gfdt::statistics

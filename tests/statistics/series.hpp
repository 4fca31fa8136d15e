#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/series/series_sums.hpp"

namespace gfdt::statistics {

/// x_{n+1} = φ x_n + √(1 − φ²) N(0, 1), starting from its stationary distribution: mean 0, variance 1, correlation φ^n.
inline std::vector<double> autoregressive(double phi, std::uint64_t samples, std::uint64_t seed,
                                          std::uint32_t member = 0) {
  const codegen::Stream stream(seed, codegen::Purpose::test, member);
  const double noise = std::sqrt(1 - phi * phi);
  std::vector<double> series;
  series.reserve(samples + 3);
  // One block of the random stream at a time, which provides four normals.
  for (std::uint64_t n = 0; n < samples; n += 4) {
    const codegen::Counter words = stream.block(n / 4);
    const auto [a, b] = codegen::box_muller(words[0], words[1]);
    const auto [c, d] = codegen::box_muller(words[2], words[3]);
    for (const double normal : {a, b, c, d})
      series.push_back(series.empty() ? normal : phi * series.back() + noise * normal);
  }
  series.resize(samples);
  return series;
}

/// The time in units of the sampling interval with var(mean) = 2τ var/samples: ½ (1 + φ) / (1 − φ).
inline double autocorrelation_time(double phi) { return 0.5 * (1 + phi) / (1 - phi); }

/// Variance of the mean of n samples of an autoregressive series with variance 1.
inline double variance_of_mean(double phi, double n) {
  return ((1 + phi) / (1 - phi) - 2 * phi * (1 - std::pow(phi, n)) / (n * (1 - phi) * (1 - phi))) / n;
}

/// Sums of members of equal length, with one lane each.
template <class T>
std::vector<MemberSums> member_sums(const std::vector<std::vector<T>>& members) {
  std::vector<MemberSums> result;
  for (const std::vector<T>& series : members) {
    SeriesSums sums(1, 1, series.size());
    sums.add(series.data(), series.size());
    result.push_back(sums.member(0, 0));
  }
  return result;
}

inline std::uint64_t group_of(std::uint64_t samples) { return SeriesSums(1, 1, samples).group(); }

inline std::vector<std::vector<double>> ensemble(double phi, std::uint32_t members, std::uint64_t samples,
                                                 std::uint64_t seed) {
  std::vector<std::vector<double>> result;
  for (std::uint32_t member = 0; member < members; ++member)
    result.push_back(autoregressive(phi, samples, seed, member));
  return result;
}

inline Average average_of(const std::vector<std::vector<double>>& members) {
  return average("A", member_sums(members), 1, group_of(members[0].size()));
}

}  // namespace gfdt::statistics

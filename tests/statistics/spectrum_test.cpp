#include "gfdt/statistics/series/spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numbers>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

using Numbers = codegen::AlignedArray<double>;
constexpr std::size_t width = spectrum_lanes;

/// Series of eight members, stored side by side.
Numbers noise(std::size_t points, std::uint64_t seed) {
  Numbers series(points * width);
  const std::vector<double> values = autoregressive(0.3, series.size(), seed);
  std::copy(values.begin(), values.end(), series.data());
  return series;
}

class Spectra : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t points() const { return GetParam(); }
};

TEST_P(Spectra, AreTheValuesAtAllRootsOfI) {
  constexpr std::size_t member = 5;
  const Numbers series = noise(points(), 1);
  std::vector<std::complex<double>> values;
  for (std::size_t k = 0; k < points(); ++k) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(k) + 0.25) / static_cast<double>(points());
    values.push_back(0);
    for (std::size_t t = 0; t < points(); ++t)
      values[k] += series[t * width + member] * std::polar(1.0, angle * static_cast<double>(t));
  }
  for (const lanes::Isa isa : lanes::available_isas()) {
    Numbers spectrum(2 * series.size());
    Spectrum(points(), isa).forward(series.data(), spectrum.data());
    std::vector<bool> met(points(), false);
    for (std::size_t k = 0; k < points(); ++k) {
      const std::complex<double> value(spectrum[2 * k * width + member], spectrum[(2 * k + 1) * width + member]);
      const auto nearest = std::min_element(values.begin(), values.end(), [&](const auto& a, const auto& b) {
        return std::abs(a - value) < std::abs(b - value);
      });
      EXPECT_LT(std::abs(*nearest - value), 1e-10) << name(isa) << ", point " << k;
      met[static_cast<std::size_t>(nearest - values.begin())] = true;
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), true), static_cast<long>(points()));
  }
}

TEST_P(Spectra, AreTransformedBackToTheSeries) {
  const Numbers series = noise(points(), 2);
  for (const lanes::Isa isa : lanes::available_isas()) {
    const Spectrum transform(points(), isa);
    Numbers spectrum(2 * series.size()), back(series.size());
    transform.forward(series.data(), spectrum.data());
    transform.inverse(spectrum.data(), back.data());
    for (std::size_t i = 0; i < series.size(); ++i) EXPECT_NEAR(back[i], series[i], 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEvenAndOddPowersOfTwo, Spectra, testing::Values(16, 32, 64));
INSTANTIATE_TEST_SUITE_P(DeeperThanTheCache, Spectra, testing::Values(256, 1024));

}  // namespace
}  // namespace gfdt::statistics

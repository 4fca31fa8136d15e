#include "gfdt/statistics/series/spectrum.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace gfdt::statistics {

GFDT_DECLARE_FOR_EACH_ISA(void forward_spectrum(const double* series, double* spectrum, long points,
                                                const double* roots);
                          void inverse_spectrum(double* spectrum, double* series, long points, const double* roots);
                          void add_pair_products(const PairProducts& products, long points);)

Spectrum::Spectrum(std::size_t points, lanes::Isa isa)
    : points_(static_cast<long>(points)), isa_(isa), roots_(2 * points) {
  std::vector<double> turns(2 * points);  // the angle of c for each division as a fraction of a full turn, exactly
  turns[1] = 0.25;
  for (std::size_t k = 1; k < points; ++k) {
    turns[2 * k] = turns[k] / 2;
    turns[2 * k + 1] = turns[k] / 2 + 0.5;
    roots_[2 * k] = std::cos(2 * std::numbers::pi * turns[2 * k]);
    roots_[2 * k + 1] = std::sin(2 * std::numbers::pi * turns[2 * k]);
  }
}

void Spectrum::forward(const double* series, double* spectrum) const {
  GFDT_CHOOSE_ISA(isa_, forward_spectrum)(series, spectrum, points_, roots_.data());
}

void Spectrum::inverse(double* spectrum, double* series) const {
  GFDT_CHOOSE_ISA(isa_, inverse_spectrum)(spectrum, series, points_, roots_.data());
}

void Spectrum::add_products(const PairProducts& products) const {
  GFDT_CHOOSE_ISA(isa_, add_pair_products)(products, points_);
}

}  // namespace gfdt::statistics

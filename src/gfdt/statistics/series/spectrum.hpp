#pragma once

#include <cstddef>

#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"

namespace gfdt::statistics {

/// Number of members that are transformed together: a series is [time][member], a spectrum [point][real,
/// imaginary][member].
inline constexpr long spectrum_lanes = 8;

/// Products of all pairs of later and earlier series, divided into chunks. Spectra of several series are [row][point].
struct PairProducts {
  long later_rows = 0, earlier_rows = 0;
  const double* later = nullptr;
  double* earlier = nullptr;  ///< overwritten
  double* before = nullptr;   ///< the chunk before `earlier`; replaced by `earlier`
  double* sum = nullptr;      ///< [point][later][earlier]
};

/// A series of n real numbers, where n ≥ 16 is a power of two, represented by the values of a polynomial p at the n
/// roots of xⁿ = i. They are half of the roots of x²ⁿ = −1, and a real polynomial takes conjugate values at the other
/// half. So p(x) q(1/x) = p·conj(q) at these points contains the sums Σ p_t q_{t−l} of all lags −n < l < n separately:
/// lag l at power l of x, and lag −l at power 2n − l with the opposite sign.
///
/// The values are computed by dividing p by xⁿ − i = (x^{n/2} − √i)(x^{n/2} + √i), the remainders by the factors of
/// these, and so on: the remainders of lo + x^{n/2}·hi are lo ± √c·hi. The points are stored in the order that results
/// from these divisions.
class Spectrum {
 public:
  explicit Spectrum(std::size_t points, lanes::Isa isa = lanes::best_isa());

  void forward(const double* series, double* spectrum) const;
  /// The coefficients of the powers below n of the polynomial with this spectrum, which may have a degree of up to 2n −
  /// 1. The spectrum is overwritten.
  void inverse(double* spectrum, double* series) const;
  /// sum += later·conj(earlier − i·before): xⁿ = i is the shift from one chunk to the next.
  void add_products(const PairProducts& products) const;

 private:
  long points_;
  lanes::Isa isa_;
  codegen::AlignedArray<double> roots_;  ///< √c of every division, [division][real, imaginary]: division 1 is the first
                                         ///< one; the remainders of division k are divided by 2k and 2k + 1
};

}  // namespace gfdt::statistics

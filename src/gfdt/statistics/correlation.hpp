#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gfdt::statistics {

/// C(lag) = <A(t + lag) B(t)> − <A><B> of a pair of series, with error bands from independent members.
struct LaggedCorrelation {
  double interval = 0;  ///< time between lags
  std::vector<double> value;
  std::vector<double> standard_error;
};

/// Adds up lagged products of pairs of quantities as samples of a block stream by, in memory that depends on the number
/// of lags but not on the length of the run.
class LaggedProducts {
 public:
  struct Pair {
    int a, b;  ///< A comes later, B earlier
  };

  LaggedProducts(int quantities, int lanes, std::vector<Pair> pairs, int lags);

  /// values[(sample * quantities + quantity) * lanes + lane]
  template <class T>
  void add(const T* values, std::uint64_t samples);

  /// Of one lane: Σ A(t + lag) B(t), and the sums of A and B over the same times, so that means can be removed; A and B
  /// relative to the references, so that products of large numbers do not cancel.
  struct Sums {
    double count = 0, product = 0, a = 0, b = 0;
    double reference_a = 0, reference_b = 0;

    Sums relative_to(double new_reference_a, double new_reference_b) const;
  };
  Sums sums(std::size_t pair, int lag, int lane) const;

 private:
  std::size_t quantities_, lanes_, lags_;
  std::vector<Pair> pairs_;
  std::uint64_t samples_ = 0;
  std::vector<double> reference_;        ///< [quantity][lane], taken off before products are formed
  std::vector<double> history_;          ///< ring of the last `lags` samples, [lag][quantity][lane]
  std::vector<double> product_, a_, b_;  ///< [pair][lag][lane]
};

/// The correlation of one pair from the products of independent members; each member is one entry of `members`, one set
/// of sums a lag. The grand means of A and B are removed.
LaggedCorrelation lagged_correlation(std::span<const std::vector<LaggedProducts::Sums>> members, double interval);

}  // namespace gfdt::statistics

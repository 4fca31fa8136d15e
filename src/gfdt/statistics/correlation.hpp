#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt::statistics {

/// Sums over the times t of one or several members at which both B(t) and A(t + lag) were sampled, for every pair of a
/// later quantity A and an earlier quantity B. Values are relative to references close to them.
struct LaggedSums {
  std::size_t lags = 0;
  std::vector<double> count;    ///< [lag]
  std::vector<double> product;  ///< Σ A(t + lag) B(t), [later][earlier][lag]
  std::vector<double> later;    ///< Σ A(t + lag), [later][lag]
  std::vector<double> earlier;  ///< Σ B(t), [earlier][lag]
  std::vector<double> later_reference, earlier_reference;

  LaggedSums() = default;
  LaggedSums(std::size_t later_rows, std::size_t earlier_rows, std::size_t lag_count);

  /// One lag of one pair.
  struct Entry {
    double count = 0, product = 0, later = 0, earlier = 0;
  };
  /// The sums relative to the given references instead.
  Entry entry(std::size_t m, std::size_t j, std::size_t lag, double later_zero, double earlier_zero) const;

  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);

  /// Adds the sums of other members, with the references of this object; an empty object takes over theirs.
  LaggedSums& operator+=(const LaggedSums& other);
};

/// C(lag) = <A(t + lag) B(t)> − <A><B> of a pair of series, with standard errors from independent members.
struct LaggedCorrelation {
  double interval = 0;  ///< time between lags
  std::vector<double> value;
  std::vector<double> standard_error;
};

/// The correlation of the later quantity m with the earlier quantity j. `groups` are members, or groups of them, that
/// are independent of each other; their spread gives the standard errors. The means over all groups are subtracted.
LaggedCorrelation lagged_correlation(std::span<const LaggedSums> groups, std::size_t m, std::size_t j, double interval);

}  // namespace gfdt::statistics

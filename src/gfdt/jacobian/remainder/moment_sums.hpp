#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/jacobian/correlation/signals.hpp"

namespace gfdt::jacobian {

/// Products, at equal times, of all earlier rows and of the rows of J and M with the functions of a basis, accumulated
/// while samples of a block stream by: [earlier rows, then dynamics rows][function].
class MomentSums {
 public:
  explicit MomentSums(const Signals& signals);

  /// Arguments as produced by Signals::evaluate; `first` is the index of the first sample.
  void add(const double* earlier, const double* dynamics, std::uint64_t first, std::uint64_t samples);

  /// The sums of a lane.
  std::vector<double> lane(std::size_t lane) const;
  void clear();

 private:
  SignalShape shape_;
  ConjugateGroup basis_;
  int dynamics_rows_;
  codegen::AlignedArray<double> sums_;
};

}  // namespace gfdt::jacobian

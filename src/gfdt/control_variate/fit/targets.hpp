#pragma once

#include <vector>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"

namespace gfdt::control_variate {

/// What is averaged over samples beside the functions of a dictionary: what the operators of parameters make of u = Σ c
/// φ, for several u, and quantities of states that are added to it.
struct Targets {
  std::size_t count = 0;
  Quantities quantities = {};  ///< may be empty
  std::size_t quantity_count = 0;
  std::vector<int> quantity_of = {};   ///< that is added to each target; −1: none
  std::vector<double> solutions = {};  ///< coefficients [u][function]; targets are [u][parameter] then

  /// [target][lane] at `lanes` states [component][lane], which `memory` has been loaded with.
  void write(const DictionaryValues& dictionary, const double* states, DictionaryValues::Memory& memory,
             double* values) const;
};

/// Quantities alone.
Targets targets_of(Quantities quantities, std::size_t count);

}  // namespace gfdt::control_variate

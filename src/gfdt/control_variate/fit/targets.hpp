#pragma once

#include <vector>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"

namespace gfdt::control_variate {

/// The targets that are averaged over samples, in addition to the functions of a dictionary: the operators of
/// parameters applied to u = Σ c φ, for several u, plus quantities of the states.
struct Targets {
  std::size_t count = 0;
  Quantities quantities = {};  ///< may be empty
  std::size_t quantity_count = 0;
  std::vector<int> quantity_of = {};   ///< index of the quantity that is added to each target; −1: none
  std::vector<double> solutions = {};  ///< coefficients [u][function]; if present, targets are [u][parameter]

  /// Writes [target][lane] at `lanes` states [component][lane], with which `memory` must have been loaded.
  void write(const DictionaryValues& dictionary, const double* states, DictionaryValues::Memory& memory,
             double* values) const;
};

/// Targets that consist of quantities only.
Targets targets_of(Quantities quantities, std::size_t count);

}  // namespace gfdt::control_variate

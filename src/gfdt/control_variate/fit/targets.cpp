#include "gfdt/control_variate/fit/targets.hpp"

#include <algorithm>
#include <numeric>

namespace gfdt::control_variate {

void Targets::write(const DictionaryValues& dictionary, const double* states, DictionaryValues::Memory& memory,
                    double* values) const {
  constexpr std::size_t width = static_cast<std::size_t>(lanes);
  if (solutions.empty())
    std::fill_n(values, count * width, 0.0);
  else
    dictionary.changed(solutions, values, memory);
  if (!quantities) return;
  codegen::AlignedArray<double> rows(quantity_count * width);
  quantities(states, rows.data());
  for (std::size_t t = 0; t < count; ++t) {
    if (quantity_of[t] < 0) continue;
    const double* const row = &rows[static_cast<std::size_t>(quantity_of[t]) * width];
    for (std::size_t lane = 0; lane < width; ++lane) values[t * width + lane] += row[lane];
  }
}

Targets targets_of(Quantities quantities, std::size_t count) {
  Targets targets{.count = count, .quantities = std::move(quantities), .quantity_count = count};
  targets.quantity_of.resize(count);
  std::iota(targets.quantity_of.begin(), targets.quantity_of.end(), 0);
  return targets;
}

}  // namespace gfdt::control_variate

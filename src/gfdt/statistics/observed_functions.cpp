#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::statistics {

symbolic::Model with_functions(symbolic::Model model, const ObservedFunctions& functions) {
  for (const auto& [name, function] : functions) model.observables.push_back({name, 0.0});
  return model;
}

FunctionRows::FunctionRows(const symbolic::Model& model, const ObservedFunctions& functions, int first_row)
    : states_(static_cast<std::size_t>(model.own_dimension())) {
  for (std::size_t m = 0; m < model.observables.size(); ++m)
    if (const auto found = functions.find(model.observables[m].name); found != functions.end())
      rows_.emplace_back(first_row + static_cast<int>(m), found->second);
}

template <class T>
void FunctionRows::write(const T* record, std::uint64_t samples, int record_rows, int lanes, T* values,
                         int rows) const {
  if (rows_.empty()) return;
  const std::size_t stride = static_cast<std::size_t>(record_rows), step = static_cast<std::size_t>(lanes);
  const std::size_t count = samples * step;
  std::vector<double> states(count * states_), found;
  for (std::uint64_t sample = 0; sample < samples; ++sample)
    for (std::size_t row = 0; row < states_; ++row)
      for (std::size_t lane = 0; lane < step; ++lane)
        states[(sample * step + lane) * states_ + row] =
            static_cast<double>(record[(sample * stride + row) * step + lane]);
  const StateFunction* evaluated = nullptr;
  for (const auto& [row, function] : rows_) {
    if (function.values.get() != evaluated) {
      found.resize(count * function.together);
      (*function.values)(states.data(), count, found.data());
      evaluated = function.values.get();
    }
    for (std::uint64_t sample = 0; sample < samples; ++sample)
      for (std::size_t lane = 0; lane < step; ++lane)
        values[(sample * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * step + lane] =
            static_cast<T>(found[(sample * step + lane) * function.together + function.place]);
  }
}

template void FunctionRows::write(const float*, std::uint64_t, int, int, float*, int) const;
template void FunctionRows::write(const double*, std::uint64_t, int, int, double*, int) const;

}  // namespace gfdt::statistics

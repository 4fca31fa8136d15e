#include "states.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>

#include "gfdt/base/error.hpp"

namespace gfdt::python {

MemoryWriter::MemoryWriter(const data::TrajectoryLayout& layout)
    : data::TrajectoryWriter(layout),
      values_(data::affordable_size("the trajectory", layout.members, layout.times, layout.variables())) {}

std::vector<std::size_t> MemoryWriter::shape() const {
  return {layout().members, layout().times, layout().variables()};
}

void MemoryWriter::write(std::size_t member, std::size_t first_time, std::size_t, std::span<const double> values) {
  std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>((member * layout().times + first_time) *
                                                                          layout().variables()));
}

statistics::ObservedFunctions observed(const Functions& functions, int dimension, const Turn& turn) {
  statistics::ObservedFunctions result;
  for (const auto& [name, function] : functions)
    result[name] = [turn, called = name, handle = py::handle(function), width = static_cast<std::size_t>(dimension)](
                       const double* states, std::size_t count, double* values) {
      const std::lock_guard alone(*turn);
      const py::gil_scoped_acquire locked;
      const py::array_t<double> shown({count, width}, states);  // a copy: the function may keep it
      const py::array_t<double, py::array::c_style | py::array::forcecast> given(handle(shown));
      if (given.ndim() != 1 || given.shape(0) != shown.shape(0))
        throw Error(
            fmt::format("The observable '{0}' must give one number for each state: an array of shape ({1},) for "
                        "states of shape ({1}, {2}).",
                        called, count, width));
      std::copy_n(given.data(), count, values);
    };
  return result;
}

symbolic::Model with_observables(symbolic::Model model, const Functions& functions) {
  for (const auto& [name, function] : functions) model.observables.push_back({name, 0.0});
  return model;
}

}  // namespace gfdt::python

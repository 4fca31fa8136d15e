#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "gfdt/data/trajectory_writer.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::python {

/// Stores a trajectory in memory: [member][time][variable].
class MemoryWriter : public data::TrajectoryWriter {
 public:
  /// Throws Error if the trajectory does not fit into memory.
  explicit MemoryWriter(const data::TrajectoryLayout& layout);

  std::vector<double> take() { return std::move(values_); }
  std::vector<std::size_t> shape() const;

 private:
  void write(std::size_t member, std::size_t first_time, std::size_t times, std::span<const double> values) override;
  void complete() override {}

  std::vector<double> values_;
};

/// Python functions of states (n, dimension) that return values (n,).
using Functions = std::vector<std::pair<std::string, py::object>>;

/// The same functions in the form that the library calls, without the interpreter lock. `functions` must outlive them.
statistics::ObservedFunctions observed(const Functions& functions, int dimension, const Turn& turn);

/// The model with additional observables for the functions, in their order.
symbolic::Model with_observables(symbolic::Model model, const Functions& functions);

}  // namespace gfdt::python

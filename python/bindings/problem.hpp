#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::python {

/// What every computation takes: what the command calls --seed, --threads and --backend, who listens to progress, and
/// what provenance calls the command.
struct Settings {
  std::optional<std::uint64_t> seed;
  std::optional<int> threads;
  std::string backend = "auto";
  py::object progress = py::none();
  std::string command;
  Turn turn = std::make_shared<std::mutex>();

  /// Throws Error for what makes no sense.
  problem::Problem apply_to(const problem::Problem& problem) const;
};

}  // namespace gfdt::python

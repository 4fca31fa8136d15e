#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::python {

/// Settings of every computation: seed, threads and back end, the progress listener, and the command name for the
/// provenance.
struct Settings {
  std::optional<std::uint64_t> seed;
  std::optional<int> threads;
  std::string backend = "auto";
  py::object progress = py::none();
  std::string command;
  Turn turn = std::make_shared<std::mutex>();

  /// Throws Error for invalid settings.
  problem::Problem apply_to(const problem::Problem& problem) const;
};

}  // namespace gfdt::python

#pragma once

#include <pybind11/numpy.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "gfdt/statistics/average.hpp"

namespace gfdt::python {

/// The result of a computation: the document that the command writes, and arrays that Python accesses without copies.
struct Result {
  struct Array {
    std::vector<double> values;
    std::vector<py::ssize_t> shape;
  };

  std::string document;  ///< JSON
  bool usable = false;
  std::string kept_score;  ///< the text of a score file, if requested
  std::map<std::string, Array> arrays;

  void put(const std::string& name, std::vector<double> values);
  void put(const std::string& name, std::vector<double> values, std::vector<std::size_t> shape);
  /// statistics, statistics_error, standard_deviation, autocorrelation_time, effective_samples
  void put(const std::vector<statistics::Average>& averages);
};

using SharedResult = std::shared_ptr<Result>;

}  // namespace gfdt::python

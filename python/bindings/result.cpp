#include "result.hpp"

#include <pybind11/stl.h>

#include <functional>

#include "gfdt/base/error.hpp"

namespace gfdt::python {
namespace {

/// A view that keeps the result alive and cannot be written to.
py::array view(const SharedResult& result, const std::string& name) {
  const auto found = result->arrays.find(name);
  if (found == result->arrays.end()) throw py::key_error(name);
  const Result::Array& array = found->second;
  py::array_t<double> seen(array.shape, array.values.data(), py::cast(result));
  seen.attr("setflags")(py::arg("write") = false);
  return seen;
}

std::vector<std::string> names(const Result& result) {
  std::vector<std::string> list;
  for (const auto& [name, array] : result.arrays) list.push_back(name);
  return list;
}

}  // namespace

void Result::put(const std::string& name, std::vector<double> values) {
  const std::size_t size = values.size();
  put(name, std::move(values), {size});
}

void Result::put(const std::string& name, std::vector<double> values, std::vector<std::size_t> shape) {
  arrays[name] = {std::move(values), {shape.begin(), shape.end()}};
}

void Result::put(const std::vector<statistics::Average>& averages) {
  using statistics::Average;
  const auto put_each = [&](const char* name, auto which) {
    std::vector<double> values;
    for (const Average& average : averages) values.push_back(std::invoke(which, average));
    put(name, std::move(values));
  };
  put_each("statistics", &Average::mean);
  put_each("statistics_error", &Average::standard_error);
  put_each("plain_statistics", [](const Average& a) { return a.plain ? a.plain->mean : a.mean; });
  put_each("plain_statistics_error",
           [](const Average& a) { return a.plain ? a.plain->standard_error : a.standard_error; });
  put_each("standard_deviation", &Average::standard_deviation);
  put_each("autocorrelation_time", &Average::autocorrelation_time);
  put_each("effective_samples", &Average::effective_samples);
}

void add_result(py::module_& module) {
  py::class_<Result, SharedResult>(module, "Result", "What a computation gave: a JSON document and arrays.")
      .def_readonly("document", &Result::document, "The JSON that the command would write.")
      .def_readonly("usable", &Result::usable, "Whether the numbers can be used.")
      .def_readonly("kept_score", &Result::kept_score, "The text of the file of a fitted score.")
      .def_property_readonly("names", &names, "Names of the arrays.")
      .def("array", &view, py::arg("name"), "A read-only view of an array.");
}

}  // namespace gfdt::python

#include "bindings.hpp"
#include "gfdt/base/with_error.hpp"
#include "gfdt/data/provenance.hpp"

PYBIND11_MODULE(_gfdt, module) {
  using namespace gfdt::python;
  module.doc() = "The compiled part of gfdt. Use the package gfdt.";
  module.def("with_error", &gfdt::with_error, py::arg("value"), py::arg("error"),
             "A number with the standard error of its last digits in parentheses.");
  module.def("version", &gfdt::data::version, "The version of the library.");
  add_errors(module);
  add_result(module);
  add_problem(module);
  add_simulate(module);
  add_score(module);
  add_jacobian(module);
  add_response(module);
  add_calibrate(module);
  add_report(module);
}

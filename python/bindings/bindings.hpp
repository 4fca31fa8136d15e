#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

namespace gfdt::python {

namespace py = pybind11;

/// Held while a function of Python's is called, so that those of one computation are called one at a time even where
/// they let go of the interpreter. To be taken before the interpreter's lock.
using Turn = std::shared_ptr<std::mutex>;

/// One a file: each adds its part to the module.
void add_errors(py::module_& module);
void add_result(py::module_& module);
void add_problem(py::module_& module);
void add_simulate(py::module_& module);
void add_score(py::module_& module);
void add_jacobian(py::module_& module);
void add_response(py::module_& module);
void add_calibrate(py::module_& module);
void add_report(py::module_& module);

}  // namespace gfdt::python

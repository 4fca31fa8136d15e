#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

namespace gfdt::python {

namespace py = pybind11;

/// Mutex that serialises the calls of Python functions within one computation, even if they release the interpreter
/// lock. Acquire it before the interpreter lock.
using Turn = std::shared_ptr<std::mutex>;

/// One function per file: each adds its part to the module.
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

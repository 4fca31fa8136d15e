#pragma once

#include <functional>

#include "bindings.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::python {

/// Runs `work` on a thread of its own without the interpreter's lock, while the calling thread looks for signals and
/// tells `progress` (None, or called with a stage and a fraction). Whatever a signal handler or `progress` raises stops
/// the work and is raised when it has ended; Ctrl-C raises KeyboardInterrupt. If formulas cannot be compiled, `work` is
/// repeated with the interpreter, and a RuntimeWarning gives the reason.
void in_background(const py::object& progress, const std::function<void(const simulate::Control&)>& work);

}  // namespace gfdt::python

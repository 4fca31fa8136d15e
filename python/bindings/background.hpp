#pragma once

#include <functional>

#include "bindings.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::python {

/// Runs `work` on a separate thread without the interpreter lock. Meanwhile the calling thread handles signals and
/// reports to `progress` (None, or called with a stage and a fraction). An exception from a signal handler or from
/// `progress` stops the work and is raised when it has ended; Ctrl-C raises KeyboardInterrupt. If formulas cannot be
/// compiled, `work` is repeated with the interpreter, and a RuntimeWarning gives the reason.
void in_background(const py::object& progress, const std::function<void(const simulate::Control&)>& work);

}  // namespace gfdt::python

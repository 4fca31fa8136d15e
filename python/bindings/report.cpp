#include "gfdt/report/report.hpp"

#include "bindings.hpp"

namespace gfdt::python {

void add_report(py::module_& module) {
  module.def(
      "report",
      [](const std::string& folder, const std::string& output) {
        const py::gil_scoped_release unlocked;
        return report::write_report(folder, output).string();
      },
      py::arg("folder"), py::arg("output"), "One page of the run in a folder.");
}

}  // namespace gfdt::python

#include "bindings.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::python {
namespace {

// They live as long as the process: translators outlive the module.
PyObject* error_type = nullptr;
PyObject* input_error_type = nullptr;

constexpr const char* error_doc = "Something that you must change; the text is a full sentence.";
constexpr const char* input_error_doc =
    "An error at a place in a text: `file`, `line` and `column`, counted from 1, and the sentence alone, `message`.";

void raise(const InputError& error) {
  const py::object raised = py::reinterpret_borrow<py::object>(input_error_type)(error.what());
  raised.attr("message") = error.message();
  raised.attr("file") = error.place().file;
  raised.attr("line") = error.place().line;
  raised.attr("column") = error.place().column;
  PyErr_SetObject(input_error_type, raised.ptr());
}

}  // namespace

void add_errors(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc("gfdt.Error", error_doc, nullptr, nullptr);
  input_error_type = PyErr_NewExceptionWithDoc("gfdt.InputError", input_error_doc, error_type, nullptr);
  module.attr("Error") = py::handle(error_type);
  module.attr("InputError") = py::handle(input_error_type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise(error);
    } catch (const Error& error) {
      PyErr_SetString(error_type, error.what());
    }
  });
}

}  // namespace gfdt::python

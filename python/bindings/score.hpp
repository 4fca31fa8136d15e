#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bindings.hpp"
#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/results/json/score_file.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::python {

/// A score of a model that can be evaluated, saved and used for Jacobians.
struct Score {
  results::StoredScore stored;
  std::function<std::string()> text;  ///< of the score file
};

/// A score given as Python functions: s(x) of states (n, dimension), and the derivative (∇s)v along directions (n,
/// dimension), or None. They must outlive the field.
class FunctionField : public score::Field {
 public:
  FunctionField(int dimension, py::handle score, py::handle derivative, Turn turn);

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  std::string description() const override { return "score given as a function"; }

 private:
  /// Calls a function with blocks [row][lane] and writes its result to another block.
  void call(py::handle function, std::initializer_list<const double*> blocks, int lanes, double* values) const;

  py::handle score_, derivative_;
  Turn turn_;
};

/// The method for a given score: a Score, or a pair of functions, which must outlive it. The returned function can be
/// called without the interpreter lock.
std::function<api::JacobianMethod(const api::JacobianTask&)> given_method(const py::object& score, const Turn& turn);

}  // namespace gfdt::python

#pragma once

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::codegen {

/// Steppers and evaluators that interpret bytecode; blocks have `interpreter_lanes` members. Throw Error if a symbol
/// has no value.
template <class T>
std::unique_ptr<Stepper<T>> make_interpreting_stepper(const Routine& routine,
                                                      const std::map<std::string, double>& symbols);
template <class T>
std::unique_ptr<Evaluator<T>> make_interpreting_evaluator(const Routine& routine,
                                                          const std::map<std::string, double>& symbols);

}  // namespace gfdt::codegen

#pragma once

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::codegen {

/// Steppers and evaluators that run generated and compiled C++ code. Throw CompilationFailed if the compiler fails, and
/// Error if there is no compiler or a symbol has no value.
template <class T>
std::unique_ptr<Stepper<T>> make_native_stepper(const Routine& routine, const std::map<std::string, double>& symbols,
                                                int lanes);
template <class T>
std::unique_ptr<Evaluator<T>> make_native_evaluator(const Routine& routine,
                                                    const std::map<std::string, double>& symbols, int lanes);

}  // namespace gfdt::codegen

#pragma once

#include "gfdt/codegen/program/kernel.hpp"

namespace gfdt::codegen {

template <class T>
std::unique_ptr<Stepper<T>> make_native_stepper(const Routine& routine, const std::map<std::string, double>& symbols,
                                                int lanes);
template <class T>
std::unique_ptr<Evaluator<T>> make_native_evaluator(const Routine& routine,
                                                    const std::map<std::string, double>& symbols, int lanes);

}  // namespace gfdt::codegen

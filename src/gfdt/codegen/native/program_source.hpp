#pragma once

#include <string>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// C++ source of a function `name` that runs a program on one block:
///   void name(const Real* state, Real* next, Real* scratch, const float* noise, const float* sign_rows,
///             Real* output, const Real* uniforms)
/// A long program is split into further functions, which precede it, and calls those of `functions_apart`.
std::string program_source(const Program& program, const std::string& name);

/// Source of the elaborate operations as functions that are not inlined, which keeps long programs short.
std::string functions_apart();

/// C++ expression of an operation with placeholders {0}, {1}, {2} for the operands.
const char* operation_pattern(Op op);

}  // namespace gfdt::codegen

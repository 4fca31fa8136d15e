#pragma once

#include <string>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// The C++ function `name` that runs a program on one block:
///   void name(const Real* state, Real* next, Real* scratch, const float* noise, const float* sign_rows,
///             Real* output, const Real* uniforms)
/// A long program calls functions of its own, which come before it, and those of `functions_apart`.
std::string program_source(const Program& program, const std::string& name);

/// The elaborate operations as functions that are not inlined, which keeps long programs short.
std::string functions_apart();

/// The C++ of an operation, with {0}, {1}, {2} for its operands.
const char* operation_pattern(Op op);

}  // namespace gfdt::codegen

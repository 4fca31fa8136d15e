#include "gfdt/codegen/program/kernel.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "gfdt/base/code_store.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/codegen/interpreter/bytecode.hpp"
#include "gfdt/codegen/interpreter/interpreter.hpp"
#include "gfdt/codegen/native/compiler.hpp"
#include "gfdt/codegen/native/native.hpp"
#include "gfdt/codegen/native/native_source.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/driver/compiler.hpp"
#include "gfdt/gpu/driver/device.hpp"

namespace gfdt::codegen {

namespace {

/// Reason, as a sentence, why formulas cannot be compiled on this machine; empty if they can.
std::string native_missing() {
  if (find_compiler().empty()) return "No C++ compiler was found (c++, g++ or clang++, or the one named by GFDT_CXX).";
  try {
    private_cache_folder();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::atomic<bool> native_given_up{false};

template <class Make>
auto compiled(Backend wanted, const Make& make) {
  try {
    return make();
  } catch (const CompilationFailed& failure) {
    if (wanted == Backend::native)
      throw Error(fmt::format("{}\n--backend interpreter needs no compiler.", failure.what()));
    native_given_up = true;
    throw NativeGivenUp(fmt::format("{}\nThe formulas are interpreted instead, which is slower.", failure.what()));
  }
}

/// Back end for evaluations on the host.
Backend host_backend(Backend wanted) {
  return choose_backend(wanted == Backend::cuda ? Backend::automatic : wanted).backend;
}

}  // namespace

const char* name(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "automatic";
    case Backend::interpreter:
      return "interpreted";
    case Backend::native:
      return "native";
    case Backend::cuda:
      return "GPU";
  }
  std::abort();
}

BackendChoice choose_backend(Backend wanted) {
  if (wanted == Backend::cuda) {
    if (const std::string missing = device_missing(); !missing.empty()) throw Error(missing);
    return {wanted, ""};
  }
  if (wanted == Backend::interpreter || (wanted == Backend::automatic && native_given_up))
    return {Backend::interpreter, ""};
  const std::string missing = native_missing();
  if (missing.empty()) return {Backend::native, ""};
  if (wanted == Backend::native) throw Error(missing + " --backend interpreter does without.");
  return {Backend::interpreter, missing + " The formulas are interpreted, which is slower."};
}

std::string device_missing() {
  std::string missing;
  if (!gpu::Device::find(&missing)) return missing;
  return gpu::compiler_missing();
}

int block_lanes(Backend backend, int state_rows) {
  if (backend == Backend::cuda) return device_lanes;
  return choose_backend(backend).backend == Backend::native ? native_lanes(state_rows) : interpreter_lanes;
}

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const StepPlan& plan, const std::map<std::string, double>& symbols,
                                         Backend backend, int lanes) {
  Routine routine = lower(plan);
  if (lanes == 0) lanes = block_lanes(backend, routine.state_rows);
  if (host_backend(backend) != Backend::native) return make_interpreting_stepper<T>(routine, symbols);
  return compiled(backend, [&] { return make_native_stepper<T>(routine, symbols, lanes); });
}

template <class T>
std::unique_ptr<Evaluator<T>> make_evaluator(const EvaluationPlan& plan, const std::map<std::string, double>& symbols,
                                             Backend backend, int lanes) {
  Routine routine = lower(plan);
  if (lanes == 0) lanes = block_lanes(backend, routine.state_rows);
  if (host_backend(backend) == Backend::native)
    return compiled(backend, [&] { return make_native_evaluator<T>(routine, symbols, lanes); });
  if (lanes != interpreter_lanes) throw Error("The interpreter cannot evaluate blocks of another back end.");
  return make_interpreting_evaluator<T>(routine, symbols);
}

template std::unique_ptr<Stepper<float>> make_stepper(const StepPlan&, const std::map<std::string, double>&, Backend,
                                                      int);
template std::unique_ptr<Stepper<double>> make_stepper(const StepPlan&, const std::map<std::string, double>&, Backend,
                                                       int);
template std::unique_ptr<Evaluator<float>> make_evaluator(const EvaluationPlan&, const std::map<std::string, double>&,
                                                          Backend, int);
template std::unique_ptr<Evaluator<double>> make_evaluator(const EvaluationPlan&, const std::map<std::string, double>&,
                                                           Backend, int);

}  // namespace gfdt::codegen

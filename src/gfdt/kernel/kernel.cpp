#include "gfdt/kernel/kernel.hpp"

#include "gfdt/core/error.hpp"
#include "gfdt/kernel/bytecode.hpp"
#include "gfdt/kernel/compiler.hpp"
#include "gfdt/kernel/interpreter.hpp"
#include "gfdt/kernel/native.hpp"
#include "gfdt/kernel/native_source.hpp"

namespace gfdt::kernel {

BackendChoice choose_backend(Backend wanted) {
  if (wanted == Backend::interpreter || !find_compiler().empty())
    return {wanted == Backend::automatic ? Backend::native : wanted, ""};
  if (wanted == Backend::native)
    throw Error(
        "No C++ compiler was found (c++, g++ or clang++, or the one named by GFDT_CXX); the native back end needs "
        "one.");
  return {Backend::interpreter, "No C++ compiler was found: the formulas are interpreted, which is slower."};
}

int block_lanes(Backend backend, int state_rows) {
  return choose_backend(backend).backend == Backend::native ? native_lanes(state_rows) : interpreter_lanes;
}

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const StepPlan& plan, const std::map<std::string, double>& symbols,
                                         Backend backend) {
  Routine routine = lower(plan);
  return choose_backend(backend).backend == Backend::native ? make_native_stepper<T>(routine, symbols)
                                                            : make_interpreting_stepper<T>(routine, symbols);
}

template <class T>
std::unique_ptr<Evaluator<T>> make_evaluator(const EvaluationPlan& plan, const std::map<std::string, double>& symbols,
                                             Backend backend, int lanes) {
  Routine routine = lower(plan);
  if (lanes == 0) lanes = block_lanes(backend, routine.state_rows);
  if (choose_backend(backend).backend == Backend::native) return make_native_evaluator<T>(routine, symbols, lanes);
  if (lanes != interpreter_lanes) throw Error("The interpreter cannot evaluate blocks of another back end.");
  return make_interpreting_evaluator<T>(routine, symbols);
}

template std::unique_ptr<Stepper<float>> make_stepper(const StepPlan&, const std::map<std::string, double>&, Backend);
template std::unique_ptr<Stepper<double>> make_stepper(const StepPlan&, const std::map<std::string, double>&, Backend);
template std::unique_ptr<Evaluator<float>> make_evaluator(const EvaluationPlan&, const std::map<std::string, double>&,
                                                          Backend, int);
template std::unique_ptr<Evaluator<double>> make_evaluator(const EvaluationPlan&, const std::map<std::string, double>&,
                                                           Backend, int);

}  // namespace gfdt::kernel

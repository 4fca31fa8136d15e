#include "gfdt/codegen/native/native.hpp"

#include <type_traits>

#include "gfdt/codegen/native/code_cache.hpp"
#include "gfdt/codegen/native/native_source.hpp"

namespace gfdt::codegen {
namespace {

template <class T>
const char* real_name() {
  return std::is_same_v<T, float> ? "float" : "double";
}

template <class T>
class NativeStepper final : public Stepper<T> {
 public:
  NativeStepper(const Routine& routine, const std::map<std::string, double>& symbols, int lanes)
      : Stepper<T>(lanes, {routine.state_rows, routine.scratch_rows, draw_size(routine.noise_rows).rows,
                           draw_size(routine.sign_rows).rows}),
        uniforms_(all_uniforms<T>(routine, symbols)),
        code_(compile_and_load(step_source(routine, real_name<T>(), lanes))),
        advance_(reinterpret_cast<Advance>(code_->function("gfdt_advance"))) {}

  void advance(BlockMemory<T>& memory, const BlockClock& clock, std::uint64_t samples, std::uint64_t cadence,
               T* record) const override {
    T* buffers[] = {memory.state.data(), memory.next.data()};
    advance_(buffers, memory.scratch.data(), memory.noise.data(), memory.sign.data(), uniforms_.data(), clock.ids,
             clock.seed, clock.step, samples, cadence, record);
    if (buffers[0] != memory.state.data()) std::swap(memory.state, memory.next);
  }

 private:
  using Advance = void (*)(T** buffers, T* scratch, float* noise, float* sign, const T* uniforms,
                           const std::uint32_t* ids, unsigned long long seed, unsigned long long step,
                           unsigned long long samples, unsigned long long cadence, T* record);
  std::vector<T> uniforms_;
  std::shared_ptr<LoadedCode> code_;
  Advance advance_;
};

template <class T>
class NativeEvaluator final : public Evaluator<T> {
 public:
  NativeEvaluator(const Routine& routine, const std::map<std::string, double>& symbols, int lanes)
      : uniforms_(all_uniforms<T>(routine, symbols)),
        code_(compile_and_load(evaluation_source(routine, real_name<T>(), lanes))),
        evaluate_(reinterpret_cast<Evaluate>(code_->function("gfdt_evaluate"))) {
    this->lanes_ = lanes;
    this->outputs_ = routine.output_rows;
    this->scratch_size_ = static_cast<std::size_t>(routine.scratch_rows) * static_cast<std::size_t>(this->lanes_);
  }

  void evaluate(const T* record, std::uint64_t samples, T* values, T* scratch) const override {
    evaluate_(record, samples, values, scratch, uniforms_.data());
  }

 private:
  using Evaluate = void (*)(const T* record, unsigned long long samples, T* values, T* scratch, const T* uniforms);
  std::vector<T> uniforms_;
  std::shared_ptr<LoadedCode> code_;
  Evaluate evaluate_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_native_stepper(const Routine& routine, const std::map<std::string, double>& symbols,
                                                int lanes) {
  return std::make_unique<NativeStepper<T>>(routine, symbols, lanes);
}
template <class T>
std::unique_ptr<Evaluator<T>> make_native_evaluator(const Routine& routine,
                                                    const std::map<std::string, double>& symbols, int lanes) {
  return std::make_unique<NativeEvaluator<T>>(routine, symbols, lanes);
}

template std::unique_ptr<Stepper<float>> make_native_stepper(const Routine&, const std::map<std::string, double>&, int);
template std::unique_ptr<Stepper<double>> make_native_stepper(const Routine&, const std::map<std::string, double>&,
                                                              int);
template std::unique_ptr<Evaluator<float>> make_native_evaluator(const Routine&, const std::map<std::string, double>&,
                                                                 int);
template std::unique_ptr<Evaluator<double>> make_native_evaluator(const Routine&, const std::map<std::string, double>&,
                                                                  int);

}  // namespace gfdt::codegen

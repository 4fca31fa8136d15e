#include "gfdt/codegen/interpreter/interpreter.hpp"

#include <algorithm>
#include <type_traits>

#include "gfdt/codegen/native/compiled_code.hpp"
#include "gfdt/codegen/random/normals.hpp"

namespace gfdt::codegen {
namespace {

template <class T>
std::vector<CompiledCode<T>> compile(const Routine& routine, const std::map<std::string, double>& symbols) {
  std::vector<CompiledCode<T>> code;
  code.reserve(routine.stages.size());
  for (const Program& stage : routine.stages) code.emplace_back(stage, symbols);
  return code;
}

template <class T>
int most_temporaries(const std::vector<CompiledCode<T>>& code) {
  int rows = 0;
  for (const CompiledCode<T>& stage : code) rows = std::max(rows, stage.temporary_rows());
  return rows;
}

/// Random numbers of the current steps.
template <class T>
class Draw {
 public:
  using Fill = void (*)(std::span<float>, std::span<const std::uint32_t>, std::uint64_t, Purpose, std::uint64_t,
                        lanes::Isa);

  Draw(int rows_per_step, float* floats, T* converted, Fill fill, Purpose purpose)
      : rows_(rows_per_step),
        size_(draw_size(rows_per_step)),
        floats_(floats),
        converted_(converted),
        fill_(fill),
        purpose_(purpose) {}

  /// Rows of a step. If they are not available, draws them together with those of the following steps.
  T* rows(const BlockClock& clock, std::uint64_t step) {
    if (rows_ == 0) return nullptr;
    if (step < first_step_ || step >= first_step_ + static_cast<std::uint64_t>(drawn_)) draw(clock, step);
    return base() + (static_cast<int>(step - first_step_) * rows_ + lead_) * interpreter_lanes;
  }

 private:
  T* base() {
    if constexpr (std::is_same_v<T, float>)
      return floats_;
    else
      return converted_;
  }

  void draw(const BlockClock& clock, std::uint64_t step) {
    std::uint64_t position = step * static_cast<std::uint64_t>(rows_);
    lead_ = static_cast<int>(position % 4);
    std::size_t numbers = static_cast<std::size_t>((lead_ + size_.steps * rows_ + 3) / 4 * 4) * interpreter_lanes;
    fill_({floats_, numbers}, {clock.ids, interpreter_lanes}, clock.seed, purpose_, position / 4, lanes::best_isa());
    if constexpr (!std::is_same_v<T, float>) std::copy_n(floats_, numbers, converted_);
    first_step_ = step;
    drawn_ = size_.steps;
  }

  int rows_;
  DrawSize size_;
  float* floats_;
  T* converted_;
  Fill fill_;
  Purpose purpose_;
  std::uint64_t first_step_ = 0;
  int drawn_ = 0;
  int lead_ = 0;
};

template <class T>
class InterpretingStepper final : public Stepper<T> {
 public:
  InterpretingStepper(const Routine& routine, const std::map<std::string, double>& symbols)
      : InterpretingStepper(routine, compile<T>(routine, symbols)) {}

  void advance(BlockMemory<T>& memory, const BlockClock& clock, std::uint64_t samples, std::uint64_t cadence,
               T* record) const override {
    T* temporaries = memory.scratch.data() + routine_.scratch_rows * interpreter_lanes;
    T* noise = temporaries + temporaries_ * interpreter_lanes;
    T* sign = noise + draw_size(routine_.noise_rows).rows * interpreter_lanes;
    Draw<T> normals(routine_.noise_rows, memory.noise.data(), noise, codegen::fill_normals, Purpose::noise);
    Draw<T> signs(routine_.sign_rows, memory.sign.data(), sign, codegen::fill_signs, Purpose::signs);
    std::vector<CodeRow<T>> table;
    std::uint64_t step = clock.step;
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
      for (std::uint64_t i = 0; i < cadence; ++i, ++step) {
        T* const regions[] = {memory.state.data(),       memory.next.data(),      memory.scratch.data(),
                              normals.rows(clock, step), signs.rows(clock, step), nullptr};
        for (const CompiledCode<T>& stage : code_) stage.run(regions, temporaries, table);
        std::swap(memory.state, memory.next);
      }
      if (record) record = std::copy_n(memory.state.data(), memory.state.size(), record);
    }
  }

 private:
  InterpretingStepper(const Routine& routine, std::vector<CompiledCode<T>> code)
      : Stepper<T>(interpreter_lanes, rows_of(routine, most_temporaries(code))),
        routine_(routine),
        temporaries_(most_temporaries(code)),
        code_(std::move(code)) {}

  /// Temporaries and converted random numbers are stored behind the scratch rows of the routine.
  static BlockRows rows_of(const Routine& routine, int temporaries) {
    const int noise = draw_size(routine.noise_rows).rows, sign = draw_size(routine.sign_rows).rows;
    return {routine.state_rows, routine.scratch_rows + temporaries + noise + sign, noise, sign};
  }

  Routine routine_;
  int temporaries_;
  std::vector<CompiledCode<T>> code_;
};

template <class T>
class InterpretingEvaluator final : public Evaluator<T> {
 public:
  InterpretingEvaluator(const Routine& routine, const std::map<std::string, double>& symbols)
      : state_rows_(routine.state_rows), scratch_rows_(routine.scratch_rows), code_(compile<T>(routine, symbols)) {
    this->lanes_ = interpreter_lanes;
    this->outputs_ = routine.output_rows;
    this->scratch_size_ = static_cast<std::size_t>(scratch_rows_ + most_temporaries(code_)) * interpreter_lanes;
  }

  void evaluate(const T* record, std::uint64_t samples, T* values, T* scratch) const override {
    std::vector<CodeRow<T>> table;
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
      T* const regions[] = {const_cast<T*>(record), nullptr, scratch, nullptr, nullptr, values};
      for (const CompiledCode<T>& stage : code_) stage.run(regions, scratch + scratch_rows_ * interpreter_lanes, table);
      record += static_cast<std::size_t>(state_rows_) * interpreter_lanes;
      values += static_cast<std::size_t>(this->outputs_) * interpreter_lanes;
    }
  }

 private:
  int state_rows_;
  int scratch_rows_;
  std::vector<CompiledCode<T>> code_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_interpreting_stepper(const Routine& routine,
                                                      const std::map<std::string, double>& symbols) {
  return std::make_unique<InterpretingStepper<T>>(routine, symbols);
}
template <class T>
std::unique_ptr<Evaluator<T>> make_interpreting_evaluator(const Routine& routine,
                                                          const std::map<std::string, double>& symbols) {
  return std::make_unique<InterpretingEvaluator<T>>(routine, symbols);
}

template std::unique_ptr<Stepper<float>> make_interpreting_stepper(const Routine&,
                                                                   const std::map<std::string, double>&);
template std::unique_ptr<Stepper<double>> make_interpreting_stepper(const Routine&,
                                                                    const std::map<std::string, double>&);
template std::unique_ptr<Evaluator<float>> make_interpreting_evaluator(const Routine&,
                                                                       const std::map<std::string, double>&);
template std::unique_ptr<Evaluator<double>> make_interpreting_evaluator(const Routine&,
                                                                        const std::map<std::string, double>&);

}  // namespace gfdt::codegen

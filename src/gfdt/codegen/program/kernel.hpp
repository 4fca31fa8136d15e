#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// Implementations of steps and evaluations.
enum class Backend {
  automatic,    ///< native if a compiler is found, otherwise interpreter
  interpreter,  ///< always available; the reference implementation
  native,       ///< C++ code generated from the formulas, compiled for this machine and cached
  cuda,         ///< the same for a GPU; evaluations on the host are native if a compiler is found
};

const char* name(Backend backend);

/// Random number streams and current step of a block.
struct BlockClock {
  std::uint64_t seed = 0;
  const std::uint32_t* ids = nullptr;  ///< random number stream of each lane
  std::uint64_t step = 0;              ///< index of the first step
};

/// Working memory of one block of members.
template <class T>
struct BlockMemory {
  AlignedArray<T> state, next, scratch;
  AlignedArray<float> noise, sign;
};

/// Numbers of rows in a block's memory; each row has one number per lane.
struct BlockRows {
  int state = 0, scratch = 0, noise = 0, sign = 0;
};

/// Advances a block of members in time.
template <class T>
class Stepper {
 public:
  virtual ~Stepper() = default;
  int lanes() const { return lanes_; }
  int rows() const { return memory_rows_.state; }

  BlockMemory<T> memory() const {
    return {AlignedArray<T>(numbers(memory_rows_.state)), AlignedArray<T>(numbers(memory_rows_.state)),
            AlignedArray<T>(numbers(memory_rows_.scratch)), AlignedArray<float>(numbers(memory_rows_.noise)),
            AlignedArray<float>(numbers(memory_rows_.sign))};
  }
  /// Size of the memory of one block in bytes.
  std::size_t memory_bytes() const {
    return numbers(2 * memory_rows_.state + memory_rows_.scratch) * sizeof(T) +
           numbers(memory_rows_.noise + memory_rows_.sign) * sizeof(float);
  }

  /// Takes `samples`·`cadence` steps. After every `cadence` steps appends the state, [rows][lanes] numbers, to `record`
  /// unless it is null.
  virtual void advance(BlockMemory<T>& memory, const BlockClock& clock, std::uint64_t samples, std::uint64_t cadence,
                       T* record) const = 0;

 protected:
  Stepper(int lanes, const BlockRows& rows) : lanes_(lanes), memory_rows_(rows) {}

 private:
  std::size_t numbers(int rows) const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(lanes_); }

  int lanes_;
  BlockRows memory_rows_;
};

/// Evaluates formulas on recorded states.
template <class T>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  int lanes() const { return lanes_; }
  int outputs() const { return outputs_; }
  std::size_t scratch_size() const { return scratch_size_; }

  /// `record`: `samples` blocks of [rows][lanes] numbers. `values`: as many blocks of [outputs][lanes]. `scratch`:
  /// `scratch_size()` numbers.
  virtual void evaluate(const T* record, std::uint64_t samples, T* values, T* scratch) const = 0;

 protected:
  int lanes_ = 0;
  int outputs_ = 0;
  std::size_t scratch_size_ = 0;
};

/// A back end, and a notice about its selection.
struct BackendChoice {
  Backend backend = Backend::automatic;
  std::string notice;  ///< reason why native code is not used although it was allowed; to be shown once
};

/// Thrown if the compilation of formulas fails and the back end was chosen automatically. This process then uses the
/// interpreter, and the caller may start the computation again.
class NativeGivenUp : public Error {
 public:
  using Error::Error;
};

/// Resolves `wanted` on this machine. Throws Error if native code or a GPU is required but not available.
BackendChoice choose_backend(Backend wanted);

/// Reason why no GPU can be used; empty if one can.
std::string device_missing();

/// Members per block for a model with this many state variables on a back end that has been resolved.
int block_lanes(Backend backend, int state_rows);

/// `symbols` holds the values of parameters and of the time step. `lanes` = 0 selects `block_lanes` for the states of
/// the plan. An evaluator must have the same number of lanes as the stepper whose record it reads.
template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const StepPlan& plan, const std::map<std::string, double>& symbols,
                                         Backend backend, int lanes = 0);
template <class T>
std::unique_ptr<Evaluator<T>> make_evaluator(const EvaluationPlan& plan, const std::map<std::string, double>& symbols,
                                             Backend backend, int lanes = 0);

}  // namespace gfdt::codegen

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

enum class Backend {
  automatic,    ///< native where a compiler is found, else the interpreter
  interpreter,  ///< always there: the reference
  native,       ///< C++ generated from the formulas, compiled for this machine, cached
  cuda,         ///< the same for a GPU; what the host computes there is native where a compiler is found
};

const char* name(Backend backend);

/// Whose random numbers drive a block, and at which step it stands.
struct BlockClock {
  std::uint64_t seed = 0;
  const std::uint32_t* ids = nullptr;  ///< the stream of each lane
  std::uint64_t step = 0;              ///< number of the first step
};

/// The memory one block of members needs while it runs.
template <class T>
struct BlockMemory {
  AlignedArray<T> state, next, scratch;
  AlignedArray<float> noise, sign;
};

/// Rows of a block's memory, of one number per lane.
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
  std::size_t memory_bytes() const {
    return numbers(2 * memory_rows_.state + memory_rows_.scratch) * sizeof(T) +
           numbers(memory_rows_.noise + memory_rows_.sign) * sizeof(float);
  }

  /// Takes `samples`·`cadence` steps; after every `cadence` of them appends the state to `record`, [rows][lanes] a
  /// sample, unless it is null.
  virtual void advance(BlockMemory<T>& memory, const BlockClock& clock, std::uint64_t samples, std::uint64_t cadence,
                       T* record) const = 0;

 protected:
  Stepper(int lanes, const BlockRows& rows) : lanes_(lanes), memory_rows_(rows) {}

 private:
  std::size_t numbers(int rows) const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(lanes_); }

  int lanes_;
  BlockRows memory_rows_;
};

/// Computes values from recorded states.
template <class T>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  int lanes() const { return lanes_; }
  int outputs() const { return outputs_; }
  std::size_t scratch_size() const { return scratch_size_; }

  /// record: `samples` of [rows][lanes]; values: as many of [outputs][lanes]; scratch: scratch_size() numbers.
  virtual void evaluate(const T* record, std::uint64_t samples, T* values, T* scratch) const = 0;

 protected:
  int lanes_ = 0;
  int outputs_ = 0;
  std::size_t scratch_size_ = 0;
};

/// A back end, and what came of it.
struct BackendChoice {
  Backend backend = Backend::automatic;
  std::string notice;  ///< why native code was not used though it was allowed; to be shown once
};

/// Thrown where formulas could not be compiled and the back end was left open. From then on this process interprets
/// them, and what was begun can be begun again.
class NativeGivenUp : public Error {
 public:
  using Error::Error;
};

/// Finds out what `wanted` means on this machine. Throws Error when native code is demanded and there is no compiler,
/// or a GPU and there is none.
BackendChoice choose_backend(Backend wanted);

/// Why there is no GPU to run on; empty where there is one.
std::string device_missing();

/// Members a block of a model with this many state variables, on a back end that has been chosen.
int block_lanes(Backend backend, int state_rows);

/// `symbols` are the values of parameters and of the time step. `lanes` 0 stands for the `block_lanes` of the states of
/// the plan. An evaluation works on the blocks of a run: its `lanes` are those of the stepper.
template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const StepPlan& plan, const std::map<std::string, double>& symbols,
                                         Backend backend, int lanes = 0);
template <class T>
std::unique_ptr<Evaluator<T>> make_evaluator(const EvaluationPlan& plan, const std::map<std::string, double>& symbols,
                                             Backend backend, int lanes = 0);

}  // namespace gfdt::codegen

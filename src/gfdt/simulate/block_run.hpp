#pragma once

#include <functional>

#include "gfdt/simulate/scheme.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/simulate/stability_guard.hpp"

namespace gfdt::simulate {

/// Runs one block of members from its initial distribution through burn-in and sampling.
template <class T>
class BlockRun {
 public:
  BlockRun(const Model& model, const Options& options, const codegen::Stepper<T>& stepper, const Block& block);

  /// Calls `go_on(steps)` after every segment of steps; a return value of false stops the run. Returns whether the
  /// block was completed. A block of which all members have become unstable ends early and counts as completed.
  bool run(std::span<const std::unique_ptr<BlockSink>> sinks, const std::function<bool(std::uint64_t)>& go_on);

  std::vector<bool> sound() const;

 private:
  void draw_initial_state();
  /// Sets the time, which is the last state of a time-dependent model, so that rounding errors do not accumulate.
  void set_time();
  /// Takes steps up to `end` at most: either up to the next sample, or several whole intervals between samples. Returns
  /// the number of samples taken.
  std::uint64_t advance(std::uint64_t end, T* record, std::uint64_t room);

  const Model& model_;
  const Options& options_;
  const codegen::Stepper<T>& stepper_;
  const Block& block_;
  codegen::BlockMemory<T> memory_;
  codegen::BlockClock clock_;
  StabilityGuard<T> guard_;
};

}  // namespace gfdt::simulate

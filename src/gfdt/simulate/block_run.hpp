#pragma once

#include <functional>

#include "gfdt/simulate/scheme.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/simulate/stability_guard.hpp"

namespace gfdt::simulate {

/// Takes one block from its initial law through burn-in and sampling.
template <class T>
class BlockRun {
 public:
  BlockRun(const Model& model, const Options& options, const codegen::Stepper<T>& stepper, const Block& block);

  /// `go_on(steps)` is told of every segment of steps taken and returns false to stop.
  /// Returns whether the block came to its end; a block all of whose members blew up ends early.
  bool run(std::span<const std::unique_ptr<BlockSink>> sinks, const std::function<bool(std::uint64_t)>& go_on);

  std::vector<bool> sound() const;

 private:
  void draw_initial_state();
  /// Sets the time, the last state of a model that depends on it, so that the rounding of steps does not add up.
  void set_time();
  /// Takes steps up to `end` at most, none of them past the next sample but whole intervals between samples; returns
  /// how many samples were taken.
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

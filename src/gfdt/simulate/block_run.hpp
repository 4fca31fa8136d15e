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
  BlockRun(const Model& model, const Options& options, const kernel::Stepper<T>& stepper, const Block& block);

  /// `go_on(steps)` is told of every stretch of steps taken and returns false to stop.
  /// Returns whether the block came to its end; a block all of whose members blew up ends early.
  bool run(std::span<const std::unique_ptr<BlockSink>> sinks, const std::function<bool(std::uint64_t)>& go_on);

  std::vector<bool> sound() const;

 private:
  using GoOn = std::function<bool(std::uint64_t)>;
  enum class Outcome { goes_on, all_lost, stopped };

  void draw_initial_state();
  /// Takes samples · cadence steps, looks at the guard and tells `go_on`.
  Outcome advance(std::uint64_t samples, std::uint64_t cadence, T* record, const GoOn& go_on);
  /// Takes steps that nobody sees, with many such looks.
  Outcome skip(std::uint64_t steps, const GoOn& go_on);

  const Model& model_;
  const Options& options_;
  const kernel::Stepper<T>& stepper_;
  const Block& block_;
  kernel::BlockMemory<T> memory_;
  kernel::BlockClock clock_;
  bool burning_in_ = true;
  StabilityGuard<T> guard_;
};

}  // namespace gfdt::simulate

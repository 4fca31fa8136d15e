#pragma once

#include <span>
#include <string>

#include "gfdt/base/progress.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// How a run ended.
enum class Status {
  done,
  unstable,   ///< too many members became unstable
  cancelled,  ///< stopped on request
};

/// Result of a run; times in seconds except `simulated_time`, which is in units of model time.
struct Summary {
  Status status = Status::done;
  int replaced_members = 0;   ///< number of times a member became unstable and was run again with another random stream
  double simulated_time = 0;  ///< total over all members, including burn-in and replaced members
  double wall_seconds = 0;
  double compile_seconds = 0;  ///< part of wall_seconds before the first step
  int lanes = 0;               ///< members per block
  codegen::BackendChoice backend;
  std::string explanation;  ///< what happened and what to do, if the status is not `done`
};

struct Control {
  ProgressListener progress;                   ///< may be empty
  const Cancellation* cancellation = nullptr;  ///< may be null
};

/// Runs the ensemble and passes every sample to every sink. Samples depend only on the model and the options, not on
/// the sinks, the number of threads or the cadence, so that a run can be repeated exactly. Throws Error if the options
/// are invalid or the run needs more memory than available.
Summary run(const symbolic::Model& model, const Options& options, std::span<Sink* const> sinks,
            const Control& control = {});

/// Random stream of a member in its n-th attempt.
std::uint32_t stream_of(std::uint32_t member, int attempt);

}  // namespace gfdt::simulate

#pragma once

#include <span>
#include <string>

#include "gfdt/base/progress.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

enum class Status {
  done,
  unstable,   ///< too many members blew up
  cancelled,  ///< stopped from outside
};

struct Summary {
  Status status = Status::done;
  int replaced_members = 0;   ///< how often a member blew up and was run again from another stream
  double simulated_time = 0;  ///< of all members together, burn-in and replaced members included
  double wall_seconds = 0;
  double compile_seconds = 0;  ///< of wall_seconds, until the first step could be taken
  int lanes = 0;               ///< members that ran together in a block
  codegen::BackendChoice backend;
  std::string explanation;  ///< what happened and what to do, when the status is not `done`
};

struct Control {
  ProgressListener progress;                   ///< may be empty
  const Cancellation* cancellation = nullptr;  ///< may be null
};

/// Runs the ensemble and shows every sample to every sink. The same model and options give the same samples, whatever
/// the sinks, the number of threads or the cadence: a run can be replayed at will. Throws Error when the options make
/// no sense.
Summary run(const symbolic::Model& model, const Options& options, std::span<Sink* const> sinks,
            const Control& control = {});

/// Number of the random stream of a member at its n-th attempt.
std::uint32_t stream_of(std::uint32_t member, int attempt);

}  // namespace gfdt::simulate

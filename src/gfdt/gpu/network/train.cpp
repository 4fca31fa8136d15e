#include "gfdt/gpu/network/train.hpp"

#include "gfdt/base/error.hpp"
#include "gfdt/gpu/network/device_trainer.hpp"
#include "gfdt/gpu/network/placement.hpp"
#include "gfdt/network/trainer.hpp"

namespace gfdt::gpu {
namespace {

/// Number of operations per batch that a CPU core completes in the time that a GPU needs to start.
constexpr double least_operations = 1e6;

bool worth_a_device(const network::Network<float>& network, const network::TrainingOptions& options) {
  return 3 * network.architecture().operations() * options.batch >= least_operations;
}

}  // namespace

network::Training train(network::Network<float>& network, const network::Examples& examples,
                        const network::TrainingOptions& options, const ProgressListener& progress,
                        const Cancellation* cancellation) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (!options.device || !examples.table() || !worth_a_device(network, options) ||
      !missing_for(network.architecture()).empty())
    return network::train(network, examples, options, progress, cancellation);
  std::unique_ptr<network::Trainer> trainer;
  try {
    trainer = make_device_trainer(network, examples, options);
  } catch (const OutOfMemory&) {
    return network::train(network, examples, options, progress, cancellation);
  }
  return network::train(*trainer, network, examples.size(), options, progress, cancellation);
}

}  // namespace gfdt::gpu

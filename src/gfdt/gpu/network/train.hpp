#pragma once

#include "gfdt/network/training.hpp"

namespace gfdt::gpu {

/// Equivalent to network::train. Uses a GPU if the options allow it, the examples have a table, both fit into its
/// memory, and the network is large enough to benefit.
network::Training train(network::Network<float>& network, const network::Examples& examples,
                        const network::TrainingOptions& options, const ProgressListener& progress = {},
                        const Cancellation* cancellation = nullptr);

}  // namespace gfdt::gpu

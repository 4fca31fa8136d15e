#pragma once

#include "gfdt/network/training.hpp"

namespace gfdt::gpu {

/// network::train, on a GPU where the options say so, the examples are a table, and both fit on it and the network is
/// large enough to be worth it.
network::Training train(network::Network<float>& network, const network::Examples& examples,
                        const network::TrainingOptions& options, const ProgressListener& progress = {},
                        const Cancellation* cancellation = nullptr);

}  // namespace gfdt::gpu

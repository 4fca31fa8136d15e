#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/network/network.hpp"

namespace gfdt::results {

/// A network with its parameters, which are read back to the same bits.
nlohmann::ordered_json to_json(const network::Network<float>& network);
/// Throws Error if the value does not describe a network.
network::Network<float> network_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::results

#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// The state from which a member with this random stream starts, in the order of a record's rows.
std::vector<double> initial_state(const symbolic::Model& model, std::uint64_t seed, std::uint32_t stream);

}  // namespace gfdt::simulate

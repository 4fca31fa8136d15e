#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Initial state of a member with this random stream, in the order of a record's rows.
std::vector<double> initial_state(const symbolic::Model& model, std::uint64_t seed, std::uint32_t stream);

}  // namespace gfdt::simulate

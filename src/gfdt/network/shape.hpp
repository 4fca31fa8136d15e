#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/network/architecture.hpp"

namespace gfdt::network {

/// What stands between two layers.
struct Shape {
  int sites = 1;
  int channels = 1;
};

/// The input's and that of each layer's output; throws Error where layers do not fit one another.
std::vector<Shape> shapes(const Architecture& architecture);

std::size_t parameter_count(const Layer& layer);

}  // namespace gfdt::network

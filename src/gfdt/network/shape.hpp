#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/network/architecture.hpp"

namespace gfdt::network {

/// Shape of a tensor between two layers.
struct Shape {
  int sites = 1;
  int channels = 1;
};

/// Shapes of the input and of each layer's output. Throws Error if the layers are not compatible.
std::vector<Shape> shapes(const Architecture& architecture);

/// Number of parameters of a layer.
std::size_t parameter_count(const Layer& layer);

}  // namespace gfdt::network

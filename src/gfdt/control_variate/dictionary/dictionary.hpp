#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/control_variate/dictionary/coordinates.hpp"

namespace gfdt::control_variate {

/// A function of a single coordinate, used as a factor of products; z is the coordinate standardised to mean 0 and
/// variance 1 over the samples.
struct Profile {
  enum class Shape {
    hermite,  ///< of degree `order`, orthonormal if z is normal
    power,    ///< of z, or of a ramp divided by its scale
    bump,     ///< exp(−½((z − centre)/width)²)
  };
  Shape shape = Shape::hermite;
  int order = 1;
  double centre = 0, width = 1;
  int level = 1;  ///< contribution to the level of a product
};

/// Location and scale of a coordinate over the samples.
struct Spread {
  double mean = 0, std = 1;
  double low = -3, high = 3;  ///< range of z that contains all but a few of the samples
};

struct Factor {
  int coordinate = 0;
  int profile = 0;
  int offset = 0;  ///< in sites along the ring
};

/// A product of profiles; on a ring, the mean of its translates over all sites.
struct Function {
  std::vector<Factor> factors;
  int level = 0;
};

/// The space of functions in which solutions of Poisson's equation L u = <A> − A are sought, in ascending order of
/// level.
struct Dictionary {
  std::vector<Coordinate> coordinates;
  std::vector<Spread> spreads;
  std::vector<std::vector<Profile>> profiles;  ///< [coordinate][profile]
  std::vector<Function> functions;
  std::vector<std::size_t> sizes;  ///< sizes of the nested dictionaries to choose from
  int sites = 1;
  bool complete = false;  ///< whether it contains all products, so that a larger limit would add none

  static constexpr std::size_t most_factors = 4;
};

/// All products up to the highest level at which there are at most `most_functions`. In many dimensions, products of
/// more than two factors include only states that interact.
Dictionary make_dictionary(const symbolic::Model& model, std::vector<Coordinate> coordinates,
                           std::vector<Spread> spreads, std::size_t most_functions);

}  // namespace gfdt::control_variate

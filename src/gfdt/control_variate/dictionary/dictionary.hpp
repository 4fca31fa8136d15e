#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/control_variate/dictionary/coordinates.hpp"

namespace gfdt::control_variate {

/// One of the functions of a single coordinate that products are made of; z is the coordinate with mean 0 and variance
/// 1 over the samples.
struct Profile {
  enum class Shape {
    hermite,  ///< of degree `order`, orthonormal where z is normal
    power,    ///< of z, or of a ramp over its scale
    bump,     ///< exp(−½((z − centre)/width)²)
  };
  Shape shape = Shape::hermite;
  int order = 1;
  double centre = 0, width = 1;
  int level = 1;  ///< that it adds to a product
};

/// How the values of a coordinate lie.
struct Spread {
  double mean = 0, std = 1;
  double low = -3, high = 3;  ///< of z, all but a few of the samples
};

struct Factor {
  int coordinate = 0;
  int profile = 0;
  int offset = 0;  ///< along the ring
};

/// A product of profiles; on a ring the sum of its translates over all sites, divided by their number.
struct Function {
  std::vector<Factor> factors;
  int level = 0;
};

/// Functions in which solutions of Poisson's equation L u = <A> − A are sought, those of lower levels first.
struct Dictionary {
  std::vector<Coordinate> coordinates;
  std::vector<Spread> spreads;
  std::vector<std::vector<Profile>> profiles;  ///< of each coordinate
  std::vector<Function> functions;
  std::vector<std::size_t> sizes;  ///< of the dictionaries to choose from: that many of the first functions
  int sites = 1;
  bool complete = false;  ///< whether it has all products: a larger limit adds none

  static constexpr std::size_t most_factors = 4;
};

/// All products up to a level, as high a one as leaves at most `most_functions`. In many dimensions products beyond
/// pairs are of states that act on each other.
Dictionary make_dictionary(const symbolic::Model& model, std::vector<Coordinate> coordinates,
                           std::vector<Spread> spreads, std::size_t most_functions);

}  // namespace gfdt::control_variate

#pragma once

#include <string>
#include <variant>
#include <vector>

namespace gfdt::network {

/// A network maps a ring of sites with some channels each to a ring of sites with some channels. One site makes it an
/// ordinary network of dense layers.

/// y[r] = bias + Σ_t W_t x[stride·r + t − lead], around the ring, with lead = (kernel − 1)/2 for stride 1 and 0 else. A
/// kernel of 1 is a dense layer shared by the sites.
struct Convolution {
  int in = 0;
  int out = 0;
  int kernel = 1;
  int stride = 1;
  bool operator==(const Convolution&) const = default;
};

/// Each group of channels of a sample brought to mean 0 and variance 1 over its sites, then scaled and shifted by
/// channel.
struct GroupNorm {
  int channels = 0;
  int groups = 1;
  bool operator==(const GroupNorm&) const = default;
};

/// x/(1 + e^{−x})
struct Swish {
  bool operator==(const Swish&) const = default;
};

/// Each site twice, then the channels that layer `skip` put out.
struct UpsampleAndJoin {
  int skip = 0;
  bool operator==(const UpsampleAndJoin&) const = default;
};

using Layer = std::variant<Convolution, GroupNorm, Swish, UpsampleAndJoin>;

struct Architecture {
  int sites = 1;
  int channels = 1;  ///< of the input
  std::vector<Layer> layers;
  bool operator==(const Architecture&) const = default;

  int inputs() const { return sites * channels; }
  int outputs() const;
  std::size_t parameters() const;
  /// Floating-point operations of a forward pass of one sample.
  double operations() const;
  std::string description() const;  ///< "3-100-50-3, Swish, 5603 parameters"

  /// Throws Error where layers do not fit one another.
  void check() const;
};

/// Dense layers of these widths, Swish between them.
Architecture mlp(const std::vector<int>& widths);

/// One MLP shared by all sites, on the window of `radius` neighbours to each side, with as many outputs a site as
/// fields unless given. Throws Error where the ring is shorter than the window.
Architecture patch(int sites, int fields, int radius, const std::vector<int>& hidden, int outputs = 0);

/// Two levels of two (convolution of kernel 5, group norm of 8, Swish) each way, `base` channels at the top. Throws
/// Error where the sites cannot be halved twice.
Architecture unet(int sites, int fields, int base = 32);

}  // namespace gfdt::network

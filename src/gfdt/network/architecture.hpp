#pragma once

#include <string>
#include <variant>
#include <vector>

namespace gfdt::network {

/// A network maps a ring of sites with several channels each to another ring of sites with channels. With a single site
/// it is an ordinary network of dense layers.

/// Periodic convolution y[r] = bias + Σ_t W_t x[stride·r + t − lead], with lead = (kernel − 1)/2 for stride 1 and lead
/// = 0 otherwise. A kernel of 1 is a dense layer shared by all sites.
struct Convolution {
  int in = 0;
  int out = 0;
  int kernel = 1;
  int stride = 1;
  bool operator==(const Convolution&) const = default;
};

/// Normalizes each group of channels of a sample to mean 0 and variance 1 over its sites, then scales and shifts each
/// channel.
struct GroupNorm {
  int channels = 0;
  int groups = 1;
  bool operator==(const GroupNorm&) const = default;
};

/// Activation x/(1 + e^{−x}).
struct Swish {
  bool operator==(const Swish&) const = default;
};

/// Repeats each site twice and appends the output channels of layer `skip`.
struct UpsampleAndJoin {
  int skip = 0;
  bool operator==(const UpsampleAndJoin&) const = default;
};

using Layer = std::variant<Convolution, GroupNorm, Swish, UpsampleAndJoin>;

/// The layers of a network and the size of its input.
struct Architecture {
  int sites = 1;
  int channels = 1;  ///< channels of the input
  std::vector<Layer> layers;
  bool operator==(const Architecture&) const = default;

  int inputs() const { return sites * channels; }
  int outputs() const;
  std::size_t parameters() const;
  /// Floating-point operations of a forward pass for one sample.
  double operations() const;
  std::string description() const;  ///< "3-100-50-3, Swish, 5603 parameters"

  /// Throws Error if the layers are not compatible.
  void check() const;
};

/// Dense layers of these widths with Swish between them. Throws Error if there are fewer than two widths.
Architecture mlp(const std::vector<int>& widths);

/// An MLP that is shared by all sites and takes a window of `radius` neighbours on each side as input. It has `outputs`
/// outputs per site, or as many as fields if 0. Throws Error if the window is larger than the ring.
Architecture patch(int sites, int fields, int radius, const std::vector<int>& hidden, int outputs = 0);

/// A U-Net with two levels of two blocks (convolution of kernel 5, group normalization with 8 groups, Swish) in each
/// direction and `base` channels at the top level. Throws Error if the number of sites is not a multiple of 4 or is
/// less than 20, or if `base` is not a multiple of 8.
Architecture unet(int sites, int fields, int base = 32);

}  // namespace gfdt::network

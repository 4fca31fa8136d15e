#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gfdt/network/architecture.hpp"
#include "gfdt/network/workspace.hpp"

namespace gfdt::network {

/// A network with its parameters. T is float for computations and double for checks of gradients.
template <class T>
class Network {
 public:
  /// Parameters are zero; see `initialise`. Throws Error if the layers are not compatible.
  explicit Network(Architecture architecture);
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  Network(const Network&);

  const Architecture& architecture() const;

  /// Initializes the weights with a uniform distribution of variance 1/(inputs of a unit), biases with zero and scales
  /// with one. The result depends only on the seed. Weights of the last layer are multiplied by `last_scale`.
  void initialise(std::uint64_t seed, double last_scale = 1);

  /// Parameters by layer: convolutions as weights [tap][in][out], then bias [out]; group norms as scale, then shift.
  std::span<const T> parameters() const;
  /// Writable parameters. Call `prepare` after a change.
  std::span<T> parameters();
  void prepare();
  /// The parameters padded with zeros to a multiple of column_unit.
  std::span<T> padded_parameters();

  /// Working memory for at most `samples` samples. More than `best_samples` samples at a time are not faster.
  std::unique_ptr<Workspace<T>> workspace(int samples) const;
  int best_samples() const;

  /// y [sample][output] from x [sample][input]; both are channels-last, [site][channel].
  void forward(Workspace<T>& workspace, int samples, const T* x, T* y) const;

  /// After `forward`: derivative of y in the direction v [sample][input].
  void tangent(Workspace<T>& workspace, const T* v, T* dy) const;

  /// After `forward`, for networks of which only the first layer mixes sites (`has_window`): dy[site] is the derivative
  /// of y[site] with respect to input `channel` of the site at `offset` from it, for all sites at once.
  void window_tangent(Workspace<T>& workspace, int offset, int channel, T* dy) const;
  bool has_window() const;

  /// After `forward`: adds Σ dy·∂y/∂parameters to the gradient in the workspace.
  void backward(Workspace<T>& workspace, const T* dy) const;
  /// Writes the accumulated gradient to `gradient`, which has the size of `parameters()`, and clears it.
  void take_gradient(Workspace<T>& workspace, T* gradient) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gfdt::network

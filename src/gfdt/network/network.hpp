#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gfdt/network/architecture.hpp"
#include "gfdt/network/workspace.hpp"

namespace gfdt::network {

/// A network with its parameters. T is float for work and double to check gradients.
template <class T>
class Network {
 public:
  /// Parameters are zero; see initialise.
  explicit Network(Architecture architecture);
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  Network(const Network&);

  const Architecture& architecture() const;

  /// Weights uniform with variance 1/(inputs of a unit), biases zero, scales one; a pure function of the seed. The
  /// weights of the last layer are `last_scale` times that.
  void initialise(std::uint64_t seed, double last_scale = 1);

  /// Layer by layer, convolutions as weights [tap][in][out] then bias [out], group norms as scale then shift.
  std::span<const T> parameters() const;
  /// Call prepare() after a change.
  std::span<T> parameters();
  void prepare();
  /// The same with zeros behind them, up to a multiple of column_unit.
  std::span<T> padded_parameters();

  /// For `samples` samples at most; more than `best_samples` is no faster.
  std::unique_ptr<Workspace<T>> workspace(int samples) const;
  int best_samples() const;

  /// y [sample][output] from x [sample][input]; both channels-last: [site][channel].
  void forward(Workspace<T>& workspace, int samples, const T* x, T* y) const;

  /// After forward: the derivative of y along v [sample][input].
  void tangent(Workspace<T>& workspace, const T* v, T* dy) const;

  /// After forward, for networks whose first layer alone mixes sites: dy[site] is the derivative of y[site] by the
  /// input channel `channel` of the site `offset` sites on, at all sites at once.
  void window_tangent(Workspace<T>& workspace, int offset, int channel, T* dy) const;
  bool has_window() const;

  /// After forward: Σ dy·∂y/∂parameters, added up in the workspace until taken.
  void backward(Workspace<T>& workspace, const T* dy) const;
  /// Writes what has been added up to `gradient`, as long as parameters(), and clears it.
  void take_gradient(Workspace<T>& workspace, T* gradient) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gfdt::network

#pragma once

// Passes through a whole network by a thread group, which processes up to `capacity` samples at a time.

namespace gfdt_device {

/// A network and the workspace of all groups.
struct Network {
  const Operation* operations;
  float* benches;  ///< [group][place][capacity]
  float* parameters;
  long long* clocks;  ///< [3][count]: cycles of forward pass, weight gradients, backward pass; may be null
  unsigned count, bench_size, companions, capacity;
  unsigned inputs, outputs, output, targets, weights, parameter_count;
};

/// Measures the cycles since the previous measurement, if `clocks` is not null.
struct Clock {
  long long* to;
  long long since;
  __device__ explicit Clock(const Network& network) : to(network.clocks), since(to ? clock64() : 0) {}
  __device__ void note(unsigned slot) {
    if (!to) return;
    const long long now = clock64();
    if (blockIdx.x == 0 && threadIdx.x == 0) to[slot] += now - since;
    since = now;
  }
};

GFDT_DEVICE Bench bench_of(const Network& network, unsigned first, unsigned samples) {
  const unsigned left = samples - first;
  return {network.benches + static_cast<unsigned long long>(blockIdx.x) * network.bench_size * network.capacity,
          static_cast<int>(left < network.capacity ? left : network.capacity), static_cast<int>(network.capacity),
          network.companions};
}

GFDT_DEVICE void forward_all(const Network& network, const Bench& bench) {
  Clock clock(network);
  for (unsigned n = 0; n < network.count; ++n) {
    const Operation& o = network.operations[n];
    if (o.kind == convolution) forward_convolution(o, bench, network.parameters);
    if (o.kind == activation) forward_activation(o, bench, network.parameters);
    if (o.kind == join) forward_join(o, bench.value(o.in), bench.value(o.skip), bench.value(o.out), bench.count);
    __syncthreads();
    clock.note(n);
  }
}

/// Starts at operation `first`.
GFDT_DEVICE void tangent_all(const Network& network, const Bench& bench, unsigned first) {
  for (unsigned n = first; n < network.count; ++n) {
    const Operation& o = network.operations[n];
    if (o.kind == convolution) tangent_convolution(o, bench, network.parameters);
    if (o.kind == activation) tangent_activation(o, bench, network.parameters);
    if (o.kind == join)
      forward_join(o, bench.companion(o.in), bench.companion(o.skip), bench.companion(o.out), bench.count);
    __syncthreads();
  }
}

GFDT_DEVICE void backward_all(const Network& network, const Bench& bench, float* gradient, bool add) {
  Clock clock(network);
  for (unsigned n = network.count; n-- > 0;) {
    const Operation& o = network.operations[n];
    if (o.kind == convolution) {
      convolution_gradient(o, bench, gradient, add);
      clock.note(network.count + n);
      backward_convolution(o, bench, network.parameters);
    }
    if (o.kind == activation) backward_activation(o, bench, network.parameters, gradient, add);
    if (o.kind == join)
      backward_join(o, bench.companion(o.out), bench.companion(o.in), bench.companion(o.skip), bench.count);
    __syncthreads();
    clock.note(2 * network.count + n);
  }
}

}  // namespace gfdt_device

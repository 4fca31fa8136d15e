#pragma once

// Values of a network and its exact directional derivatives.

namespace gfdt_device {

/// Computes y [sample][output] from x [sample][input] and derivatives dy [direction][sample][output] in the directions
/// v [direction][sample][input]. If `windows` (pairs of a site offset and a channel) is not null, the derivatives are
/// those with respect to the inputs of a window.
extern "C" __global__ void __launch_bounds__(32 * warps, neighbours)
    gfdt_evaluate(const Network network, const unsigned samples, const float* x, float* y, const unsigned directions,
                  const float* v, const int* windows, float* dy) {
  for (unsigned first = blockIdx.x * network.capacity; first < samples; first += gridDim.x * network.capacity) {
    const Bench bench = bench_of(network, first, samples);
    const unsigned inputs = bench.count * network.inputs, outputs = bench.count * network.outputs;
    const unsigned long long from = static_cast<unsigned long long>(first) * network.inputs;
    const unsigned long long to = static_cast<unsigned long long>(first) * network.outputs;
    for (unsigned i = threadIdx.x; i < inputs; i += threads) bench.value(0)[i] = x[from + i];
    __syncthreads();
    forward_all(network, bench);
    for (unsigned i = threadIdx.x; i < outputs; i += threads) y[to + i] = bench.value(network.output)[i];
    for (unsigned n = 0; n < directions; ++n) {
      const unsigned long long before = static_cast<unsigned long long>(n) * samples;
      if (windows) {
        tangent_window(network.operations[0], bench, network.parameters, windows[2 * n], windows[2 * n + 1]);
      } else {
        const float* const own = v + before * network.inputs + from;
        for (unsigned i = threadIdx.x; i < inputs; i += threads) bench.companion(0)[i] = own[i];
      }
      __syncthreads();
      tangent_all(network, bench, windows ? 1 : 0);
      float* const own = dy + before * network.outputs + to;
      for (unsigned i = threadIdx.x; i < outputs; i += threads) own[i] = bench.companion(network.output)[i];
      __syncthreads();
    }
  }
}

}  // namespace gfdt_device

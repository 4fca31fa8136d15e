#pragma once

// Training examples of a network, with the same noise as on the host.

namespace gfdt_device {

/// Source of examples: tables of inputs, targets and weights, or, if `noise` > 0, points to which noise is added.
struct ExampleSource {
  const float *inputs, *targets, *weights;
  unsigned long long noise_seed, turn_seed;
  float noise;
  unsigned turn, sites, fields;
};

/// A batch: `count` entries of `order`, divided into slices and chunks that share their noise.
struct Batch {
  const unsigned* order;
  unsigned count, round, slices, chunk;
};

/// Example at a position in a batch, and the sign of its noise.
struct Place {
  unsigned example;
  float sign;
};
GFDT_DEVICE Place place_in(const Batch& batch, unsigned place) {
  unsigned long long first = 0, last = 0;
  for (unsigned slice = 0; slice < batch.slices && last <= place; ++slice) {
    first = last;
    last = (slice + 1ull) * batch.count / batch.slices;
  }
  const unsigned begin =
      static_cast<unsigned>(first) + (place - static_cast<unsigned>(first)) / batch.chunk * batch.chunk;
  const unsigned left = static_cast<unsigned>(last) - begin, size = left < batch.chunk ? left : batch.chunk;
  const unsigned pairs = (size + 1) / 2, at = place - begin;
  return at < pairs ? Place{batch.order[begin + at], 1.0f} : Place{batch.order[begin + at - pairs], -1.0f};
}

/// ⌊word · n / 2⁶⁴⌋ with the 64-bit word number `position` of a stream.
GFDT_DEVICE unsigned index_of(unsigned long long position, unsigned stream, unsigned long long seed, unsigned n) {
  const Words words = philox(position / 2, stream, training_purpose, seed);
  const unsigned low = position % 2 == 0 ? words.value0 : words.value2;
  const unsigned high = position % 2 == 0 ? words.value1 : words.value3;
  return static_cast<unsigned>(
      (static_cast<unsigned long long>(high) * n + (static_cast<unsigned long long>(low) * n >> 32)) >> 32);
}

/// Loads the samples from position `first` of the batch, with their targets and weights, into the workspace.
GFDT_DEVICE void take_examples(const Network& network, const ExampleSource& source, const Batch& batch, unsigned first,
                               const Bench& bench) {
  const unsigned d = network.inputs, blocks = (d + 3) / 4;
  float* const inputs = bench.value(0);
  float* const targets = bench.value(network.targets);
  float* const weights = bench.value(network.weights);
  for (unsigned i = threadIdx.x; i < bench.count * blocks; i += threads) {
    const unsigned sample = i / blocks, block = i % blocks;
    if (source.noise <= 0) {
      const unsigned long long example = batch.order[first + sample];
      for (unsigned c = 4 * block; c < 4 * block + 4 && c < d; ++c)
        inputs[sample * d + c] = source.inputs[example * d + c];
      if (block > 0) continue;
      for (unsigned c = 0; c < network.outputs; ++c)
        targets[sample * network.outputs + c] = source.targets[example * network.outputs + c];
      weights[sample] = source.weights[example];
      continue;
    }
    const Place place = place_in(batch, first + sample);
    const float* const x = source.inputs + static_cast<unsigned long long>(place.example) * d;
    const unsigned shift =
        source.turn ? index_of(batch.round, place.example, source.turn_seed, source.sites) * source.fields : 0;
    const Normals z = normals(batch.round * static_cast<unsigned long long>(blocks) + block, place.example,
                              training_purpose, source.noise_seed);
    const float four[4] = {z.value0, z.value1, z.value2, z.value3};
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned c = 4 * block + n;
      if (c >= d) break;
      const unsigned from = c + shift < d ? c + shift : c + shift - d;
      inputs[sample * d + c] = x[from] + source.noise * (place.sign * four[n]);
      targets[sample * d + c] = -(place.sign * four[n]) / source.noise;
    }
    if (block == 0) weights[sample] = 1;
  }
  __syncthreads();
}

}  // namespace gfdt_device

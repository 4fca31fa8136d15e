#pragma once

// Training: gradients by thread groups, then Adam steps with their sum. The order of summation over groups depends only
// on the launch, so that results on a device are reproducible bit by bit.

namespace gfdt_device {

struct AdamTable {
  float rate, epsilon;
};

/// A sum of squares and the weight by which it is divided.
struct Loss {
  double sum, weight;
};

/// Sum over the threads of a group by tree reduction; all threads receive the result.
GFDT_DEVICE Loss sum_over_group(Loss own) {
  Loss* const all = reinterpret_cast<Loss*>(group_memory());
  __syncthreads();
  all[threadIdx.x] = own;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      all[threadIdx.x].sum += all[threadIdx.x + half].sum;
      all[threadIdx.x].weight += all[threadIdx.x + half].weight;
    }
  }
  __syncthreads();
  const Loss total = all[0];
  __syncthreads();
  return total;
}

/// Loss of the samples of this group and, if `gradient` is not null, its gradient with respect to the parameters up to
/// a factor.
GFDT_DEVICE Loss visit_batch(const Network& network, const ExampleSource& source, const Batch& batch, float* gradient) {
  Loss loss = {0, 0};
  bool add = false;
  for (unsigned first = blockIdx.x * network.capacity; first < batch.count;
       first += gridDim.x * network.capacity, add = true) {
    const Bench bench = bench_of(network, first, batch.count);
    take_examples(network, source, batch, first, bench);
    forward_all(network, bench);
    const float* const y = bench.value(network.output);
    const float* const targets = bench.value(network.targets);
    const float* const weights = bench.value(network.weights);
    float* const dy = bench.companion(network.output);
    for (unsigned i = threadIdx.x; i < bench.count * network.outputs; i += threads) {
      const float weight = weights[i / network.outputs], off = y[i] - targets[i];
      dy[i] = weight * off;
      loss.sum += static_cast<double>(weight) * static_cast<double>(off * off);
      loss.weight += static_cast<double>(weight);
    }
    __syncthreads();
    if (gradient) backward_all(network, bench, gradient, add);
  }
  return sum_over_group(loss);
}

/// A parameter with its moving averages; `step` takes the gradient of the mean loss.
struct Adam {
  float parameter, mean, square;
  __device__ void step(float g, const AdamTable& table) {
    mean = adam_beta1 * mean + (1 - adam_beta1) * g;
    square = adam_beta2 * square + (1 - adam_beta2) * g * g;
    parameter -= table.rate * mean / (::sqrtf(square) + table.epsilon);
  }
};

/// Sums of an epoch: the loss, and a flag that is nonzero if any loss was not finite.
struct EpochSums {
  Loss loss;
  double broken;
};
GFDT_DEVICE bool sound(const Loss& loss) { return loss.sum - loss.sum == 0 && loss.weight > 0; }

/// Computes gradients [group][parameter] and losses [group] of a batch; losses only if `backward` is 0.
extern "C" __global__ void __launch_bounds__(32 * warps, neighbours)
    gfdt_gradient(const Network network, const ExampleSource source, const Batch batch, float* gradients, Loss* losses,
                  const unsigned backward) {
  const Loss loss = visit_batch(
      network, source, batch,
      backward ? gradients + static_cast<unsigned long long>(blockIdx.x) * network.parameter_count : nullptr);
  if (threadIdx.x == 0) losses[blockIdx.x] = loss;
}

/// Sums the losses of all groups. If `table` is not null and all losses are finite, takes an Adam step with the sum of
/// the gradients.
extern "C" __global__ void __launch_bounds__(32 * warps)
    gfdt_step(const Network network, const float* gradients, const Loss* losses, const unsigned groups, float* mean,
              float* square, const AdamTable* table, EpochSums* sums, EpochSums* next) {
  Loss own = {0, 0};
  for (unsigned group = threadIdx.x; group < groups; group += threads) {
    own.sum += losses[group].sum;
    own.weight += losses[group].weight;
  }
  const Loss loss = sum_over_group(own);
  const bool whole = sound(loss) && sums->broken == 0;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *next = {{sums->loss.sum + loss.sum, sums->loss.weight + loss.weight}, whole ? 0.0 : 1.0};
  if (!table || !whole) return;
  const float scale = static_cast<float>(2 / loss.weight);
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < network.parameter_count; i += gridDim.x * threads) {
    float g = 0;
#pragma unroll 32
    for (unsigned group = 0; group < groups; ++group)
      g += gradients[static_cast<unsigned long long>(group) * network.parameter_count + i];
    Adam adam = {network.parameters[i], mean[i], square[i]};
    adam.step(scale * g, *table);
    network.parameters[i] = adam.parameter;
    mean[i] = adam.mean;
    square[i] = adam.square;
  }
}

/// A single group processes the batches in sequence, with an Adam step after each: for small networks.
extern "C" __global__ void __launch_bounds__(32 * warps)
    gfdt_train_alone(const Network network, const ExampleSource source, const Batch all, const unsigned first_batch,
                     const unsigned last_batch, const unsigned batches, float* gradient, float* mean, float* square,
                     const AdamTable* table, EpochSums* sums) {
  EpochSums epoch = *sums;
  __syncthreads();
  for (unsigned n = first_batch; n < last_batch && epoch.broken == 0; ++n) {
    const unsigned from = static_cast<unsigned>(static_cast<unsigned long long>(n) * all.count / batches);
    const unsigned to = static_cast<unsigned>((n + 1ull) * all.count / batches);
    const Batch batch = {all.order + from, to - from, all.round, all.slices, all.chunk};
    const Loss loss = visit_batch(network, source, batch, gradient);
    epoch.loss.sum += loss.sum;
    epoch.loss.weight += loss.weight;
    if (!sound(loss)) {
      epoch.broken = 1;
      break;
    }
    const float scale = static_cast<float>(2 / loss.weight);
    const AdamTable rate = table[n];
    for (unsigned i0 = threadIdx.x; i0 < network.parameter_count; i0 += at_once * threads) {
      Adam adam[at_once];
      float g[at_once];
#pragma unroll
      for (unsigned p = 0; p < at_once; ++p)
        if (const unsigned i = i0 + p * threads; i < network.parameter_count) {
          adam[p] = {network.parameters[i], mean[i], square[i]};
          g[p] = gradient[i];
        }
#pragma unroll
      for (unsigned p = 0; p < at_once; ++p)
        if (const unsigned i = i0 + p * threads; i < network.parameter_count) {
          adam[p].step(scale * g[p], rate);
          network.parameters[i] = adam[p].parameter;
          mean[i] = adam[p].mean;
          square[i] = adam[p].square;
        }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *sums = epoch;
}

}  // namespace gfdt_device

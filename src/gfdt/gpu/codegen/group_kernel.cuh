#pragma once

// The kernel of device_source.hpp for groups of threads (group_step.hpp).

namespace gfdt_device {

extern "C" __global__ void __launch_bounds__(members * workers)
    gfdt_advance(const Uniforms u, const DeviceSpan span, Real* states, Real* scale, unsigned* unsound,
                 unsigned* lost_members, const unsigned* streams, Real* record) {
  const unsigned place = threadIdx.x % members, worker = threadIdx.x / members, member = blockIdx.x * members + place;
  const unsigned block = member / lanes, lane = member % lanes, stream = streams[member];
  unsigned lost = unsound[member];  // used by the first worker only
  Real* const own = states + static_cast<unsigned long long>(block) * state_rows * lanes + lane;
  Real* const own_scale = scale + static_cast<unsigned long long>(block) * fields * lanes + lane;
  Real* to = record + block * span.stride + lane;

  Real* const rows = reinterpret_cast<Real*>(group_memory());
  Real *state = rows + place, *next = state + state_rows * members, *const scratch = next + state_rows * members;
  float* const noise = reinterpret_cast<float*>(rows + (2 * state_rows + scratch_rows) * members) + place;
  float* const signs = noise + noise_rows * members;
  for (unsigned row = worker; row < state_rows; row += workers) state[row * members] = own[row * lanes];
  __syncthreads();

  unsigned long long step = span.step;
  unsigned to_sample =
      step < span.burn_in ? 0 : span.cadence - static_cast<unsigned>((step - span.burn_in) % span.cadence);
  while (step < span.end) {
    take_step(u, state, next, scratch, noise, signs, step, stream, span.seed, worker);
    __syncthreads();
    Real* const previous = state;
    state = next;
    next = previous;
    ++step;
    if (to_sample != 0 && --to_sample == 0) {
      if (span.recorded) {
        for (unsigned row = worker; row < state_rows; row += workers) to[row * lanes] = state[row * members];
        to += state_rows * lanes;
      }
      to_sample = span.cadence;
    }
    if (step == span.burn_in) to_sample = span.cadence;
    if (step % 512 == 0 || step == span.burn_in || step == span.total) {
      if (worker == 0) look_at_fields(state, own_scale, step <= span.burn_in, lost);
      if (ends_with_time && step % 512 == 0) {
        __syncthreads();
        if (worker == 0) state[(state_rows - 1) * members] = Real(double(step) * span.dt);
        __syncthreads();
      }
    }
  }
  for (unsigned row = worker; row < state_rows; row += workers) own[row * lanes] = state[row * members];
  if (worker == 0 && lost && !unsound[member]) {
    unsound[member] = lost;
    atomicAdd(lost_members, 1);
  }
}

}  // namespace gfdt_device

#pragma once

// Tasks of the workers of a member besides the loops of the model (group_step.hpp). Rows are stored as [row][member] in
// the shared memory of the group; pointers start at the member's own number.

namespace gfdt_device {

/// Sites are distributed to workers in turn. First site of this worker if `shift` sites were distributed before.
GFDT_DEVICE unsigned after(unsigned worker, unsigned shift) { return (worker + workers - shift % workers) % workers; }

/// Draws the normals of a step, in whole blocks.
GFDT_DEVICE void draw_normals(float* to, unsigned long long step, unsigned stream, unsigned long long seed,
                              unsigned worker) {
  const unsigned long long first = step * noises;
  const unsigned end = static_cast<unsigned>(first % 4) + noises;
  for (unsigned n = worker; 4 * n < end; n += workers) {
    const Normals z = normals(first / 4 + n, stream, noise_purpose, seed);
    float* const row = to + 4 * n * members;
    row[0] = z.value0;
    row[members] = z.value1;
    row[2 * members] = z.value2;
    row[3 * members] = z.value3;
  }
}

/// Draws the signs of a step, in whole words.
GFDT_DEVICE void draw_signs(float* to, unsigned long long step, unsigned stream, unsigned long long seed,
                            unsigned worker) {
  const unsigned long long first = step * signs_per_step;
  const unsigned end = static_cast<unsigned>(first % 32) + signs_per_step;
  for (unsigned n = worker; 32 * n < end; n += workers) {
    const unsigned word = word_of_signs(first / 32 + n, stream, sign_purpose, seed);
    for (unsigned bit = 0; bit < 32; ++bit) to[(32 * n + bit) * members] = sign_in(word, 0, bit);
  }
}

/// Stability check of a field (simulate/stability_guard.hpp): its largest magnitude relative to its scale.
GFDT_DEVICE void look_at_field(const Real* row, unsigned sites, Real& scale, bool in_burn_in, unsigned& lost) {
  Real largest = 0;
  for (unsigned site = 0; site < sites; ++site) {
    const Real size = ::fabs(row[site * members]);
    largest = size > largest || size != size ? size : largest;
  }
  if (!(largest / Real(1e6) <= scale)) lost = 1;
  if (in_burn_in && !lost && largest > scale) scale = largest;
}

}  // namespace gfdt_device

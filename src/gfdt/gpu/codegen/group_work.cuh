#pragma once

// What the workers of a member do besides the model's own loops (group_step.hpp). Rows are [row][member] in the memory
// that a group shares; pointers begin at the member's own number.

namespace gfdt_device {

/// Sites are dealt out to workers in turn; this worker's first, where `shift` sites were dealt out before.
GFDT_DEVICE unsigned after(unsigned worker, unsigned shift) { return (worker + workers - shift % workers) % workers; }

/// The normals of a step, in whole blocks from the one that the first falls in.
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

/// The signs of a step, in whole words.
GFDT_DEVICE void draw_signs(float* to, unsigned long long step, unsigned stream, unsigned long long seed,
                            unsigned worker) {
  const unsigned long long first = step * signs_per_step;
  const unsigned end = static_cast<unsigned>(first % 32) + signs_per_step;
  for (unsigned n = worker; 32 * n < end; n += workers) {
    const unsigned word = word_of_signs(first / 32 + n, stream, sign_purpose, seed);
    for (unsigned bit = 0; bit < 32; ++bit) to[(32 * n + bit) * members] = sign_in(word, 0, bit);
  }
}

/// Whether a field is sound (simulate/stability_guard.hpp): its largest number against its scale.
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

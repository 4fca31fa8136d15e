#pragma once

#include <cstdint>

namespace gfdt::calibrate {

/// The seed of the stage-th run of a calibration, derived from the seed of the calibration by the finalizer of
/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Stages with the
/// same `seed` have distinct seeds. For runs with several indices, the function is nested: stage_seed(stage_seed(seed,
/// iteration), member).
constexpr std::uint64_t stage_seed(std::uint64_t seed, std::uint64_t stage) {
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  };
  return mixed(mixed(seed + 0x9E3779B97F4A7C15) + (stage + 1) * 0x9E3779B97F4A7C15);
}

}  // namespace gfdt::calibrate

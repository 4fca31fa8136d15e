#include "gfdt/score/fields/probes.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gfdt/base/philox.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t signs_per_block = 128;

/// The finalizer of splitmix64 (Steele, Lea and Flood, 2014): a bijection in which every input bit affects all output
/// bits.
std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

std::uint64_t hash_of_state(const double* x, std::size_t lanes, std::size_t dimension) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < dimension; ++i)
    hash = mixed((hash + 0x9e3779b97f4a7c15) ^ std::bit_cast<std::uint64_t>(x[i * lanes] + 0.0));  // −0 is treated as 0
  return hash;
}

}  // namespace

void fill_probes(const double* x, int lanes, int dimension, int probes, double* v) {
  const std::size_t width = static_cast<std::size_t>(lanes), rows = static_cast<std::size_t>(dimension);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::uint64_t key = hash_of_state(x + lane, width, rows);
    for (std::size_t probe = 0; probe < static_cast<std::size_t>(probes); ++probe) {
      const codegen::Stream stream(key, codegen::Purpose::sampling, static_cast<std::uint32_t>(probe));
      codegen::Counter words{};
      for (std::size_t i = 0; i < rows; ++i) {
        if (i % signs_per_block == 0) words = stream.block(i / signs_per_block);
        const bool negative = (words[i / 32 % 4] >> i % 32 & 1) != 0;
        v[(probe * rows + i) * width + lane] = negative ? -1.0 : 1.0;
      }
    }
  }
}

void probed_jacobian(const Field& field, const double* x, int lanes, std::span<const JacobianEntry> entries, int probes,
                     double* s, double* values) {
  const std::size_t width = static_cast<std::size_t>(lanes);
  const std::size_t block = static_cast<std::size_t>(field.dimension()) * width;
  const std::size_t count = static_cast<std::size_t>(probes);
  std::vector<double> v(count * block), sv(count * block);
  fill_probes(x, lanes, field.dimension(), probes, v.data());
  field.differentiate(x, lanes, probes, v.data(), s, sv.data());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::size_t row = static_cast<std::size_t>(entries[e].row) * width;
    const std::size_t column = static_cast<std::size_t>(entries[e].column) * width;
    for (std::size_t lane = 0; lane < width; ++lane) {
      double total = 0;
      for (std::size_t probe = 0; probe < count; ++probe)
        total += v[probe * block + column + lane] * sv[probe * block + row + lane];
      values[e * width + lane] = total / static_cast<double>(probes);
    }
  }
}

}  // namespace gfdt::score

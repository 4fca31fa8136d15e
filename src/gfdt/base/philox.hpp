#pragma once

#include <array>
#include <cstdint>

// Counter-based random numbers: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011). Every random number of gfdt is a pure function of (seed, purpose, stream, position):
//
//   key     = (seed low, seed high)
//   counter = (block low, block high, stream, purpose)
//
// A block has four words. Normal number n of a stream is taken from block n / 4: words 0 and 1 give normals 0 and 1 of
// the block, words 2 and 3 give normals 2 and 3. Noise j in step s of an ensemble member with m noises is normal number
// s m + j of the stream whose id is the index of the member. Sign number n is bit n % 32 of word n / 32 % 4 of block n
// / 128.
namespace gfdt::codegen {

/// Purpose of random numbers. Streams with different purposes are independent.
enum class Purpose : std::uint32_t {
  noise = 0,
  signs = 1,
  initial = 2,
  sampling = 3,
  training = 4,
  resampling = 5,
  test = 0xffff0000,
};

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

constexpr Counter philox(Counter counter, Key key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// Two independent standard normals from two words by the Box–Muller method: √(−2 ln u) (± cos φ, ± sin φ) with u = (a
/// + ½) / 2³² and φ = π/4 (1 + c / 2³¹). Here c is b << 2 as a signed integer, and the two top bits of b are the signs.
/// Both u and c are rounded to single precision, as in the vectorized version.
std::array<double, 2> box_muller(std::uint32_t a, std::uint32_t b);

/// A stream of random numbers, addressed by position. Words, uniforms, normals and signs of a stream are computed from
/// the same blocks; use only one kind per purpose.
class Stream {
 public:
  constexpr Stream(std::uint64_t seed, Purpose purpose, std::uint32_t id)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        purpose_(static_cast<std::uint32_t>(purpose)),
        id_(id) {}

  constexpr Counter block(std::uint64_t number) const {
    return philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), id_, purpose_}, key_);
  }

  constexpr std::uint32_t at(std::uint64_t position) const { return block(position / 4)[position % 4]; }

  /// 64 random bits: words 2 position and 2 position + 1.
  constexpr std::uint64_t wide(std::uint64_t position) const {
    const Counter words = block(position / 2);
    const std::size_t first = 2 * (position % 2);
    return std::uint64_t{words[first + 1]} << 32 | words[first];
  }

  /// Uniform on the open interval (0, 1), on the grid (k + ½) / 2⁵².
  constexpr double uniform(std::uint64_t position) const {
    return (static_cast<double>(wide(position) >> 12) + 0.5) * 0x1p-52;
  }

  double normal(std::uint64_t position) const;

  /// ±1 with equal probability.
  constexpr double sign(std::uint64_t position) const {
    const std::uint32_t word = block(position / 128)[position / 32 % 4];
    return (word >> position % 32 & 1) != 0 ? -1.0 : 1.0;
  }

  /// Uniform on 0 … n − 1; each probability is 1/n to within 2⁻⁶⁴.
  constexpr std::uint64_t index(std::uint64_t position, std::uint64_t n) const {
    __extension__ using Product = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Product>(wide(position)) * n >> 64);
  }

 private:
  Key key_;
  std::uint32_t purpose_;
  std::uint32_t id_;
};

}  // namespace gfdt::codegen

#pragma once

#include "gfdt/codegen/lanes/arithmetic.hpp"
#include "gfdt/codegen/lanes/polynomial.hpp"

// Rows of random numbers for ensembles: the streams of base/philox.hpp, one per lane.
//
// Normals are single precision in double-precision runs too. Weak convergence of a scheme requires only the moments of
// the noise, which are correct to 2⁻²⁴; the largest normal is √(66 ln 2) = 6.76. Runs in float and double, on CPU and
// GPU, thus use the same noise and can be compared path by path.
namespace GFDT_LANES_NAMESPACE {

typedef unsigned Words __attribute__((vector_size(GFDT_LANES_BYTES)));
typedef unsigned long long WideWords __attribute__((vector_size(GFDT_LANES_BYTES)));
typedef int SignedWords __attribute__((vector_size(GFDT_LANES_BYTES)));

/// Number of blocks computed together to hide the latency of multiplications, limited by the number of registers.
#if defined(GFDT_LANES_AVX512)
inline constexpr int interleaved_blocks = 3;
#elif defined(GFDT_LANES_AVX2)
inline constexpr int interleaved_blocks = 2;
#else
inline constexpr int interleaved_blocks = 1;
#endif

inline constexpr unsigned philox_m0 = 0xD2511F53u, philox_m1 = 0xCD9E8D57u;
inline constexpr unsigned philox_w0 = 0x9E3779B9u, philox_w1 = 0xBB67AE85u;

/// 64-bit products of the low halves of `a` with m.
GFDT_LANES_INLINE WideWords multiply_low(WideWords a, unsigned m) {
  const WideWords b = WideWords{} + m;
#if defined(GFDT_LANES_GCC_X86)
  typedef int Ints __attribute__((vector_size(GFDT_LANES_BYTES)));
#if defined(GFDT_LANES_AVX512)
  typedef long long Longs __attribute__((vector_size(GFDT_LANES_BYTES)));
  return reinterpret_cast<WideWords>(__builtin_ia32_pmuludq512_mask(
      reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(b), Longs{}, static_cast<unsigned char>(-1)));
#elif defined(GFDT_LANES_AVX2)
  return reinterpret_cast<WideWords>(__builtin_ia32_pmuludq256(reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(b)));
#else
  return reinterpret_cast<WideWords>(__builtin_ia32_pmuludq128(reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(b)));
#endif
#else
  return (a & 0xffffffffull) * b;
#endif
}

// Even lanes are held in the low halves of one vector of 64-bit words, odd lanes in those of another.
GFDT_LANES_INLINE Words merge_low(WideWords even, WideWords odd) {
  return reinterpret_cast<Words>((even & 0xffffffffull) | (odd << 32));
}
GFDT_LANES_INLINE Words merge_high(WideWords even, WideWords odd) {
  return reinterpret_cast<Words>((even >> 32) | (odd & 0xffffffff00000000ull));
}

/// The words of `Count` consecutive blocks, four rows each, of the streams `ids`. The high halves of the state contain
/// arbitrary bits, because only products read the state and they use only the low halves. The first two rounds are
/// treated separately, because the block number and the tag are the same in all lanes.
template <int Count>
GFDT_LANES_INLINE void philox_blocks(Words ids, unsigned long long block, unsigned tag, unsigned long long seed,
                                     Words (&words)[4 * Count]) {
  const WideWords id[2] = {reinterpret_cast<WideWords>(ids), reinterpret_cast<WideWords>(ids) >> 32};
  unsigned key0 = static_cast<unsigned>(seed), key1 = static_cast<unsigned>(seed >> 32);
  WideWords state[Count][2][4];
#pragma GCC unroll 8
  for (int b = 0; b < Count; ++b) {
    const unsigned long long number = block + static_cast<unsigned>(b);
    const unsigned long long product = (number & 0xffffffffull) * philox_m0;
    const unsigned word2 = static_cast<unsigned>(product >> 32) ^ tag ^ key1;
    const unsigned long long second = static_cast<unsigned long long>(word2) * philox_m1;
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const WideWords p = multiply_low(id[half], philox_m1);
      const WideWords x0 = (p >> 32) ^ (static_cast<unsigned>(number >> 32) ^ key0);
      const WideWords q = multiply_low(x0, philox_m0);
      WideWords(&x)[4] = state[b][half];
      x[0] = p ^ (static_cast<unsigned>(second >> 32) ^ (key0 + philox_w0));
      x[1] = WideWords{} + static_cast<unsigned>(second);
      x[2] = (q >> 32) ^ (static_cast<unsigned>(product) ^ (key1 + philox_w1));
      x[3] = q;
    }
  }
  key0 += 2 * philox_w0;
  key1 += 2 * philox_w1;
#pragma GCC unroll 8
  for (int round = 2; round < 9; ++round) {
#pragma GCC unroll 8
    for (int b = 0; b < Count; ++b) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        WideWords(&x)[4] = state[b][half];
        const WideWords p = multiply_low(x[0], philox_m0), q = multiply_low(x[2], philox_m1);
        x[0] = (q >> 32) ^ x[1] ^ key0;
        x[2] = (p >> 32) ^ x[3] ^ key1;
        x[1] = q;
        x[3] = p;
      }
    }
    key0 += philox_w0;
    key1 += philox_w1;
  }
#pragma GCC unroll 8
  for (int b = 0; b < Count; ++b) {
    WideWords(&e)[4] = state[b][0];
    WideWords(&o)[4] = state[b][1];
    const WideWords pe = multiply_low(e[0], philox_m0), po = multiply_low(o[0], philox_m0);
    const WideWords qe = multiply_low(e[2], philox_m1), qo = multiply_low(o[2], philox_m1);
    words[4 * b] = merge_high(qe, qo) ^ merge_low(e[1], o[1]) ^ key0;
    words[4 * b + 1] = merge_low(qe, qo);
    words[4 * b + 2] = merge_high(pe, po) ^ merge_low(e[3], o[3]) ^ key1;
    words[4 * b + 3] = merge_low(pe, po);
  }
}

// u = 2^e m with ¾ ≤ m < 3/2.
GFDT_LANES_INLINE Vector<float> exponent_of(Vector<float> u) {
#if defined(GFDT_LANES_AVX512)
  const Vector<float> carried = from_bits(bits_of(u) + 0x400000);
  return __builtin_ia32_getexpps512_mask(carried, u, static_cast<unsigned short>(-1), 4);
#else
  return __builtin_convertvector(reinterpret_cast<SignedWords>(bits_of(u) - 0x3f400000) >> 23, Vector<float>);
#endif
}
GFDT_LANES_INLINE Vector<float> mantissa_of(Vector<float> u) {
#if defined(GFDT_LANES_AVX512)
  return __builtin_ia32_getmantps512_mask(u, 3, u, static_cast<unsigned short>(-1), 4);
#else
  return from_bits(bits_of(u) - ((bits_of(u) - 0x3f400000) & 0xff800000u));
#endif
}

/// With u = (a + ½) / 2³² and φ = π/4 + x, the normals are √(−2 ln u) (± cos φ, ± sin φ). √2 cos φ = cos x − sin x and
/// √2 sin φ = cos x + sin x absorb the factor 2. The polynomials are minimax with an error of 3e-8 (relative error for
/// the logarithm).
GFDT_LANES_INLINE void box_muller(Words a, Words b, Vector<float>& first, Vector<float>& second) {
  using Floats = Vector<float>;
  const Floats scaled = __builtin_convertvector(a, Floats) + 0.5f;
  const Floats e = exponent_of(scaled) - 32.0f;
  const Floats t = 1.0f - mantissa_of(scaled);
  const Floats p = polynomial(t, 0.5000004924f, 0.3333361802f, 0.2499425081f, 0.1997448687f, 0.1680355173f,
                              0.1499596569f, 0.1222403725f, 0.055858939f);
  const Floats r = sqrt((t * t * p + t) - e * 0.693147180559945f);
  const Floats x = __builtin_convertvector(reinterpret_cast<SignedWords>(b << 2), Floats) *
                   static_cast<float>(0x1p-31 * 0.785398163397448309616);
  const Floats z = x * x;
  const Floats c = r * polynomial(z, 0.9999999724f, -0.499998567f, 0.04165502689f, -0.001358590851f);
  const Floats s = r * x * polynomial(z, 0.9999999866f, -0.1666663722f, 0.008331597832f, -0.0001946324936f);
  first = reinterpret_cast<Floats>(reinterpret_cast<Words>(c - s) ^ (b & 0x80000000u));
  second = reinterpret_cast<Floats>(reinterpret_cast<Words>(c + s) ^ ((b << 1) & 0x80000000u));
}

template <int Count>
GFDT_LANES_INLINE void normal_blocks(float* rows, int lanes, Words ids, unsigned long long seed, unsigned tag,
                                     unsigned long long block) {
  Words words[4 * Count];
  philox_blocks<Count>(ids, block, tag, seed, words);
#pragma GCC unroll 8
  for (int i = 0; i < 4 * Count; i += 2) {
    Vector<float> first, second;
    box_muller(words[i], words[i + 1], first, second);
    store(rows + i * lanes, first);
    store(rows + (i + 1) * lanes, second);
  }
}

/// Standard normals: 4 · blocks rows of `lanes` numbers, where row 4 b + i holds normal number 4 (first_block + b) + i
/// of the streams ids[0 … lanes). `lanes` must be a multiple of 16 and the rows aligned to 64 bytes.
GFDT_LANES_INLINE void normals(float* rows, int lanes, const unsigned* ids, unsigned long long seed, unsigned tag,
                               unsigned long long first_block, int blocks) {
  for (int lane = 0; lane < lanes; lane += width<float>) {
    Words id;
    __builtin_memcpy(&id, ids + lane, sizeof id);
    float* to = rows + lane;
    int b = 0;
    for (; b + interleaved_blocks <= blocks; b += interleaved_blocks, to += 4 * interleaved_blocks * lanes)
      normal_blocks<interleaved_blocks>(to, lanes, id, seed, tag, first_block + static_cast<unsigned>(b));
    for (; b < blocks; ++b, to += 4 * lanes)
      normal_blocks<1>(to, lanes, id, seed, tag, first_block + static_cast<unsigned>(b));
  }
}

/// Random signs ±1 of the same shape: row 4 b + i holds sign number 4 (first_block + b) + i.
GFDT_LANES_INLINE void signs(float* rows, int lanes, const unsigned* ids, unsigned long long seed, unsigned tag,
                             unsigned long long first_block, int blocks) {
  const unsigned long long first = 4 * first_block, end = first + 4 * static_cast<unsigned long long>(blocks);
  for (int lane = 0; lane < lanes; lane += width<float>) {
    Words id;
    __builtin_memcpy(&id, ids + lane, sizeof id);
    float* to = rows + lane;
    for (unsigned long long position = first; position < end;) {
      Words words[4];
      philox_blocks<1>(id, position / 128, tag, seed, words);
      const unsigned long long last = (position / 128 + 1) * 128 < end ? (position / 128 + 1) * 128 : end;
      for (; position < last; ++position, to += lanes) {
        const Words bits = words[position / 32 % 4] << (31 - static_cast<int>(position % 32));
        store(to, reinterpret_cast<Vector<float>>((bits & 0x80000000u) | 0x3f800000u));
      }
    }
  }
}

}  // namespace GFDT_LANES_NAMESPACE

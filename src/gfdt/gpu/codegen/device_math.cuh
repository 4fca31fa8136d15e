#pragma once

// Library of the generated device code: the functions of formulas, and the random numbers of base/philox.hpp for one
// thread. The text is compiled at run time. A host compiler accepts it too if it defines the qualifiers and intrinsics.

#define GFDT_DEVICE static __forceinline__ __device__

// Formulas use the same function names as the vectorized CPU code, in either precision.
namespace gfdt_device {

GFDT_DEVICE Real sqrt(Real x) { return ::sqrt(x); }
GFDT_DEVICE Real exp(Real x) { return ::exp(x); }
GFDT_DEVICE Real log(Real x) { return ::log(x); }
GFDT_DEVICE Real sin(Real x) { return ::sin(x); }
GFDT_DEVICE Real cos(Real x) { return ::cos(x); }
GFDT_DEVICE Real tan(Real x) { return ::tan(x); }
GFDT_DEVICE Real sinh(Real x) { return ::sinh(x); }
GFDT_DEVICE Real cosh(Real x) { return ::cosh(x); }
GFDT_DEVICE Real tanh(Real x) { return ::tanh(x); }
GFDT_DEVICE Real atan(Real x) { return ::atan(x); }
GFDT_DEVICE Real erf(Real x) { return ::erf(x); }
GFDT_DEVICE Real abs(Real x) { return ::fabs(x); }
GFDT_DEVICE Real pow(Real x, Real y) { return ::pow(x, y); }

// min and max propagate NaN, as on the CPU.
GFDT_DEVICE Real min(Real x, Real y) { return y < x || y != y ? y : x; }
GFDT_DEVICE Real max(Real x, Real y) { return y > x || y != y ? y : x; }
GFDT_DEVICE Real sign(Real x) { return x > 0 ? Real(1) : x < 0 ? Real(-1) : x; }
GFDT_DEVICE Real less(Real x, Real y) { return x < y ? Real(1) : Real(0); }
GFDT_DEVICE Real less_equal(Real x, Real y) { return x <= y ? Real(1) : Real(0); }
GFDT_DEVICE Real equal(Real x, Real y) { return x == y ? Real(1) : Real(0); }
GFDT_DEVICE Real logical_and(Real x, Real y) { return x != 0 && y != 0 ? Real(1) : Real(0); }
GFDT_DEVICE Real logical_or(Real x, Real y) { return x != 0 || y != 0 ? Real(1) : Real(0); }
GFDT_DEVICE Real logical_not(Real x) { return x == 0 ? Real(1) : Real(0); }

/// Wraps a site around a ring; `site` must be less than 2 `sites`.
GFDT_DEVICE unsigned wrap(unsigned site, unsigned sites) { return site >= sites ? site - sites : site; }

struct Words {
  unsigned value0, value1, value2, value3;
};
struct Normals {
  float value0, value1, value2, value3;
};

GFDT_DEVICE Words philox(unsigned long long block, unsigned stream, unsigned purpose, unsigned long long seed) {
  Words c = {static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), stream, purpose};
  unsigned key0 = static_cast<unsigned>(seed), key1 = static_cast<unsigned>(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c.value0, b = 0xCD9E8D57ull * c.value2;
    c = {static_cast<unsigned>(b >> 32) ^ c.value1 ^ key0, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.value3 ^ key1, static_cast<unsigned>(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// Box–Muller method with the angle π/4 + x: √2 cos(π/4 + x) = cos x − sin x and √2 sin(π/4 + x) = cos x + sin x.
GFDT_DEVICE void box_muller(unsigned a, unsigned b, float& first, float& second) {
  const float u = (static_cast<float>(a) + 0.5f) * 2.3283064365386963e-10f;
  const float r = device_sqrt(-0.69314718056f * device_log2(u));
  const float x = static_cast<float>(static_cast<int>(b << 2)) * 3.6572951981e-10f;
  const float c = r * device_cos(x), s = r * device_sin(x);
  first = __uint_as_float(__float_as_uint(c - s) ^ (b & 0x80000000u));
  second = __uint_as_float(__float_as_uint(c + s) ^ ((b << 1) & 0x80000000u));
}

GFDT_DEVICE Normals normals(unsigned long long block, unsigned stream, unsigned purpose, unsigned long long seed) {
  const Words words = philox(block, stream, purpose, seed);
  Normals result;
  box_muller(words.value0, words.value1, result.value0, result.value1);
  box_muller(words.value2, words.value3, result.value2, result.value3);
  return result;
}

/// Word number `position` of the signs of a stream, which holds 32 signs.
GFDT_DEVICE unsigned word_of_signs(unsigned long long position, unsigned stream, unsigned purpose,
                                   unsigned long long seed) {
  const Words words = philox(position / 4, stream, purpose, seed);
  const unsigned place = static_cast<unsigned>(position % 4);
  return place == 0 ? words.value0 : place == 1 ? words.value1 : place == 2 ? words.value2 : words.value3;
}

/// Sign number `bit`, counted from the start of `word`; bits from 32 are taken from `next`.
GFDT_DEVICE float sign_in(unsigned word, unsigned next, unsigned bit) {
  return ((bit < 32 ? word >> bit : next >> (bit - 32)) & 1) != 0 ? -1.0f : 1.0f;
}

}  // namespace gfdt_device

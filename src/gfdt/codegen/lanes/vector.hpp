// SIMD vectors of ensemble members. This header and the other headers of the lanes (without standard headers,
// everything inline in GFDT_LANES_NAMESPACE) are compiled into the library once per instruction set. Their text is also
// placed before the C++ code that is generated at run time.
#pragma once

#ifndef GFDT_LANES_NAMESPACE
#define GFDT_LANES_NAMESPACE generated
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define GFDT_LANES_AVX512 1
#define GFDT_LANES_BYTES 64
#elif defined(__AVX2__) && defined(__FMA__)
#define GFDT_LANES_AVX2 1
#define GFDT_LANES_BYTES 32
#else
#define GFDT_LANES_BYTES 16
#endif

// g++ needs one built-in function per machine instruction; clang recognizes the generic expression.
#if defined(__x86_64__) && !defined(__clang__)
#define GFDT_LANES_GCC_X86 1
#endif

#define GFDT_LANES_INLINE [[maybe_unused]] static inline __attribute__((always_inline))

namespace GFDT_LANES_NAMESPACE {

template <class T>
struct VectorOf;

template <>
struct VectorOf<float> {
  typedef float Type __attribute__((vector_size(GFDT_LANES_BYTES)));
  using Integer = decltype(Type{} < Type{});
  typedef unsigned Unsigned __attribute__((vector_size(GFDT_LANES_BYTES)));
};

template <>
struct VectorOf<double> {
  typedef double Type __attribute__((vector_size(GFDT_LANES_BYTES)));
  using Integer = decltype(Type{} < Type{});
  typedef unsigned long long Unsigned __attribute__((vector_size(GFDT_LANES_BYTES)));
};

template <class T>
using Vector = typename VectorOf<T>::Type;
/// Also the type of a mask: comparing two Vector<T> gives −1 (true) or 0 in each lane.
template <class T>
using IntegerVector = typename VectorOf<T>::Integer;
template <class T>
using UnsignedVector = typename VectorOf<T>::Unsigned;

/// Lanes of a Vector<T>.
template <class T>
inline constexpr int width = GFDT_LANES_BYTES / static_cast<int>(sizeof(T));

/// The element type of a Vector.
template <class V>
struct ElementOf;
template <>
struct ElementOf<Vector<float>> {
  typedef float Type;
};
template <>
struct ElementOf<Vector<double>> {
  typedef double Type;
};
template <class V>
using Element = typename ElementOf<V>::Type;

template <class T>
GFDT_LANES_INLINE Vector<T> broadcast(T value) {
  return Vector<T>{} + value;
}

/// `from` must be aligned to the vector size.
template <class T>
GFDT_LANES_INLINE Vector<T> load(const T* from) {
  return *reinterpret_cast<const Vector<T>*>(from);
}

template <class T>
GFDT_LANES_INLINE void store(T* to, Vector<T> value) {
  *reinterpret_cast<Vector<T>*>(to) = value;
}

/// Loads width<T> single-precision numbers as a Vector<T>; `from` must be aligned to their total size.
template <class T>
GFDT_LANES_INLINE Vector<T> load_as(const float* from);

template <>
[[maybe_unused]] inline __attribute__((always_inline)) Vector<float> load_as<float>(const float* from) {
  return load(from);
}

template <>
[[maybe_unused]] inline __attribute__((always_inline)) Vector<double> load_as<double>(const float* from) {
  typedef float Narrow __attribute__((vector_size(GFDT_LANES_BYTES / 2)));
  return __builtin_convertvector(*reinterpret_cast<const Narrow*>(from), Vector<double>);
}

GFDT_LANES_INLINE Vector<float> select(IntegerVector<float> mask, Vector<float> yes, Vector<float> no) {
  return mask ? yes : no;
}
GFDT_LANES_INLINE Vector<double> select(IntegerVector<double> mask, Vector<double> yes, Vector<double> no) {
  return mask ? yes : no;
}

/// Conversions between a number and its bits. Unsigned, because the bits may overflow in lanes that are discarded.
template <class V>
GFDT_LANES_INLINE UnsignedVector<Element<V>> bits_of(V x) {
  return reinterpret_cast<UnsignedVector<Element<V>>>(x);
}
GFDT_LANES_INLINE Vector<float> from_bits(UnsignedVector<float> bits) { return reinterpret_cast<Vector<float>>(bits); }
GFDT_LANES_INLINE Vector<double> from_bits(UnsignedVector<double> bits) {
  return reinterpret_cast<Vector<double>>(bits);
}

/// Whether a mask is true in any lane.
template <class Mask>
GFDT_LANES_INLINE bool any(Mask mask) {
  static_assert(sizeof(Mask) == GFDT_LANES_BYTES);
  typedef long long Words __attribute__((vector_size(GFDT_LANES_BYTES)));
  const Words words = reinterpret_cast<Words>(mask);
#if defined(GFDT_LANES_AVX512)
  const auto folded =
      __builtin_shufflevector(words, words, 0, 1, 2, 3) | __builtin_shufflevector(words, words, 4, 5, 6, 7);
  return !__builtin_ia32_ptestz256(folded, folded);
#elif defined(GFDT_LANES_AVX2)
  return !__builtin_ia32_ptestz256(words, words);
#else
  return (words[0] | words[1]) != 0;
#endif
}

}  // namespace GFDT_LANES_NAMESPACE

#include "gfdt/codegen/lanes/vector.hpp"
#include "gfdt/network/matrix_product.hpp"

namespace gfdt::network::GFDT_LANES_NAMESPACE {
namespace {

namespace v = ::GFDT_LANES_NAMESPACE;
using v::Vector;
using v::width;

/// Rows and vectors of the tile of C that is held in registers.
#if defined(GFDT_LANES_AVX512)
constexpr int most_rows = 12;
#else
constexpr int most_rows = 6;
#endif
constexpr int panel_vectors = 2;

template <class T, int rows, int vectors>
void product_tile(const T* a, long a_stride, int depth, const T* b, const T* bias, T* c, long c_stride,
                  bool accumulate) {
  constexpr int w = width<T>;
  Vector<T> sum[rows][vectors];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int j = 0; j < vectors; ++j)
      sum[r][j] = accumulate ? v::load(c + r * c_stride + j * w) : bias ? v::load(bias + j * w) : Vector<T>{};
  for (int k = 0; k < depth; ++k) {
    Vector<T> right[vectors];
#pragma GCC unroll 2
    for (int j = 0; j < vectors; ++j) right[j] = v::load(b + (k * vectors + j) * w);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const Vector<T> left = v::broadcast(a[r * a_stride + k]);
#pragma GCC unroll 2
      for (int j = 0; j < vectors; ++j) sum[r][j] += left * right[j];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int j = 0; j < vectors; ++j) v::store(c + r * c_stride + j * w, sum[r][j]);
}

template <class T, int depth, int vectors>
void outer_tile(const Rows<const T>& a, const Rows<const T>& d, int rows, int blocks, T* g, long g_stride) {
  constexpr int w = width<T>;
  Vector<T> sum[depth][vectors];
#pragma GCC unroll 16
  for (int k = 0; k < depth; ++k)
#pragma GCC unroll 2
    for (int j = 0; j < vectors; ++j) sum[k][j] = v::load(g + k * g_stride + j * w);
  for (int block = 0; block < blocks; ++block) {
    const T* left = a.data + block * a.block_stride;
    const T* right = d.data + block * d.block_stride;
    for (int r = 0; r < rows; ++r, left += a.row_stride, right += d.row_stride) {
      Vector<T> column[vectors];
#pragma GCC unroll 2
      for (int j = 0; j < vectors; ++j) column[j] = v::load(right + j * w);
#pragma GCC unroll 16
      for (int k = 0; k < depth; ++k) {
        const Vector<T> x = v::broadcast(left[k]);
#pragma GCC unroll 2
        for (int j = 0; j < vectors; ++j) sum[k][j] += x * column[j];
      }
    }
  }
#pragma GCC unroll 16
  for (int k = 0; k < depth; ++k)
#pragma GCC unroll 2
    for (int j = 0; j < vectors; ++j) v::store(g + k * g_stride + j * w, sum[k][j]);
}

template <class T>
using ProductTile = void (*)(const T*, long, int, const T*, const T*, T*, long, bool);
template <class T>
using OuterTile = void (*)(const Rows<const T>&, const Rows<const T>&, int, int, T*, long);

/// The tile functions for 1 … most_rows rows.
template <class T, int vectors>
struct Tiles {
  ProductTile<T> product[most_rows + 1];
  OuterTile<T> outer[most_rows + 1];

  constexpr Tiles() : product{}, outer{} { fill<most_rows>(); }
  template <int rows>
  constexpr void fill() {
    if constexpr (rows > 0) {
      product[rows] = product_tile<T, rows, vectors>;
      outer[rows] = outer_tile<T, rows, vectors>;
      fill<rows - 1>();
    }
  }
};
template <class T, int vectors>
constexpr Tiles<T, vectors> tiles{};

/// Calls work(first, size) for pieces of [0, total) of nearly equal size, at most most_rows.
template <class Work>
GFDT_LANES_INLINE void in_tiles(int total, Work work) {
  const int pieces = (total + most_rows - 1) / most_rows;
  for (int piece = 0, first = 0; piece < pieces; ++piece) {
    const int size = (total - first) / (pieces - piece);
    work(first, size);
    first += size;
  }
}

/// Calls work(first column) for each panel, with the number of vectors as template argument.
template <class T, class Work>
GFDT_LANES_INLINE void in_panels(int columns, Work work) {
  constexpr int panel = panel_vectors * width<T>;
  int first = 0;
  for (; first + panel <= columns; first += panel) work.template operator()<panel_vectors>(first);
  for (; first < columns; first += width<T>) work.template operator()<1>(first);
}

template <class T>
void product_in_panels(const Product<T>& p) {
  in_panels<T>(p.columns, [&]<int vectors>(int column) {
    const T* b = p.packed + static_cast<long>(column) * p.depth;
    const T* bias = p.bias ? p.bias + column : nullptr;
    for (int block = 0; block < p.blocks; ++block)
      in_tiles(p.rows, [&](int row, int rows) {
        tiles<T, vectors>.product[rows](
            p.a.data + block * p.a.block_stride + row * p.a.row_stride, p.a.row_stride, p.depth, b, bias,
            p.c.data + block * p.c.block_stride + row * p.c.row_stride + column, p.c.row_stride, p.accumulate);
      });
  });
}

template <class T>
void outer_product_in_panels(const OuterProduct<T>& p) {
  in_panels<T>(p.columns, [&]<int vectors>(int column) {
    Rows<const T> d = p.d;
    d.data += column;
    in_tiles(p.depth, [&](int k, int depth) {
      Rows<const T> a = p.a;
      a.data += k;
      tiles<T, vectors>.outer[depth](a, d, p.rows, p.blocks, p.g + static_cast<long>(k) * p.columns + column,
                                     p.columns);
    });
  });
}

/// Position of row 0 of a column, and the distance between its rows.
template <class T>
struct Column {
  long start;
  long stride;
};
template <class T>
GFDT_LANES_INLINE Column<T> packed_column(const Packing<T>& p, int column) {
  constexpr int panel = panel_vectors * width<T>;
  const int panels = p.columns / panel;
  if (column < panels * panel) {
    const int first = column / panel * panel;
    return {static_cast<long>(first) * p.depth + (column - first), panel};
  }
  const int first = column / width<T> * width<T>;
  return {static_cast<long>(first) * p.depth + (column - first), width<T>};
}

/// The first `count` numbers at `from`, followed by zeros; reads a whole vector.
template <class T>
GFDT_LANES_INLINE Vector<T> load_some(const T* from, int count) {
  typedef T Unaligned __attribute__((vector_size(GFDT_LANES_BYTES), aligned(alignof(T)), may_alias));
  const Vector<T> all = *reinterpret_cast<const Unaligned*>(from);
  if (count >= width<T>) return all;
  v::IntegerVector<T> lane{};
  for (int i = 0; i < width<T>; ++i) lane[i] = i;
  return v::select(lane < count, all, Vector<T>{});
}

template <class T>
void pack_rows(const Packing<T>& p) {
  for (int column = 0; column < p.columns; column += width<T>) {
    const Column<T> place = packed_column(p, column);
    for (int row = 0; row < p.rows; ++row)
      v::store(p.packed + place.start + (p.first + row) * place.stride,
               load_some(p.source + row * p.source_stride + column, p.valid - column));
  }
}

template <int... lane>
struct Lanes {};
/// The sequence of lanes 0 … count − 1.
template <int count, int... lane>
struct FirstLanes : FirstLanes<count - 1, count - 1, lane...> {};
template <int... lane>
struct FirstLanes<0, lane...> {
  using Type = Lanes<lane...>;
};

/// Interleaves the lanes of a and b, starting at lane `first`.
template <int first, class V, int... lane>
GFDT_LANES_INLINE V interleave(V a, V b, Lanes<lane...>) {
  constexpr int w = sizeof...(lane);
  return __builtin_shufflevector(a, b, (first + lane / 2 + lane % 2 * w)...);
}

/// Transposes a square block of width² numbers in log2(width) rounds, each of which interleaves rows i and i + width/2.
template <class T>
void transpose(Vector<T>* rows) {
  constexpr int w = width<T>;
  constexpr typename FirstLanes<w>::Type lanes{};
  for (int round = 1; round < w; round *= 2) {
    Vector<T> next[w];
#pragma GCC unroll 8
    for (int i = 0; i < w / 2; ++i) {
      next[2 * i] = interleave<0>(rows[i], rows[i + w / 2], lanes);
      next[2 * i + 1] = interleave<w / 2>(rows[i], rows[i + w / 2], lanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < w; ++i) rows[i] = next[i];
  }
}

template <class T>
void pack_columns(const Packing<T>& p) {
  constexpr int w = width<T>;
  for (int column = 0; column < p.columns; column += w) {
    const Column<T> place = packed_column(p, column);
    for (int row = 0; row < p.rows; row += w) {
      Vector<T> square[w];
      const int down = p.valid - column, across = p.rows - row;
      for (int i = 0; i < w; ++i)
        square[i] = i < down ? load_some(p.source + (column + i) * p.source_stride + row, across) : Vector<T>{};
      transpose<T>(square);
      for (int j = 0; j < w && j < across; ++j)
        v::store(p.packed + place.start + (p.first + row + j) * place.stride, square[j]);
    }
  }
}

}  // namespace

template <class T>
void product(const Product<T>& p) {
  product_in_panels(p);
}
template <class T>
void outer_product(const OuterProduct<T>& p) {
  outer_product_in_panels(p);
}
template <class T>
void pack(const Packing<T>& p) {
  pack_rows(p);
}
template <class T>
void pack_transposed(const Packing<T>& p) {
  pack_columns(p);
}

template void product(const Product<float>&);
template void product(const Product<double>&);
template void outer_product(const OuterProduct<float>&);
template void outer_product(const OuterProduct<double>&);
template void pack(const Packing<float>&);
template void pack(const Packing<double>&);
template void pack_transposed(const Packing<float>&);
template void pack_transposed(const Packing<double>&);

}  // namespace gfdt::network::GFDT_LANES_NAMESPACE

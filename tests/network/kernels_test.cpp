// The inner loops compared with direct loops, for all numbers of remaining rows.
#include "gfdt/network/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"

namespace gfdt::network {
namespace {

using codegen::AlignedArray;

template <class T>
AlignedArray<T> random_array(int size, std::uint32_t id) {
  AlignedArray<T> result(static_cast<std::size_t>(size + column_unit));
  const codegen::Stream stream(11, codegen::Purpose::test, id);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(stream.normal(i));
  return result;
}

template <class T>
class Products : public ::testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;
};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Products, Numbers);

TYPED_TEST(Products, AgreeWithDirectLoopsForAllSizes) {
  using T = TypeParam;
  const Kernels<T>& k = kernels<T>();
  for (int rows = 1; rows <= 27; ++rows)
    for (int depth : {1, 3, 17})
      for (int valid : {1, 16, 33, 48, 50}) {
        const int columns = (valid + column_unit - 1) / column_unit * column_unit, blocks = 2, a_stride = 2;
        const long block = rows * a_stride + depth;
        AlignedArray<T> a = random_array<T>(static_cast<int>(blocks * block), 1);
        AlignedArray<T> w = random_array<T>(depth * valid, 2), bias = random_array<T>(columns, 3);
        AlignedArray<T> packed(static_cast<std::size_t>(depth * columns)),
            c = random_array<T>(blocks * rows * columns, 4), g = random_array<T>(depth * columns, 5);
        const AlignedArray<T> c0 = c, g0 = g;
        k.pack({w.data(), valid, depth, valid, 0, depth, columns, packed.data()});
        Product<T> p{{a.data(), a_stride, block},
                     depth,
                     packed.data(),
                     bias.data(),
                     {c.data(), columns, rows * columns},
                     columns,
                     rows,
                     blocks,
                     false};
        k.product(p);
        auto exact = [&](int b, int r, int j) {
          double sum = 0;
          if (j < valid)
            for (int i = 0; i < depth; ++i)
              sum += static_cast<double>(a[static_cast<std::size_t>(b * block + r * a_stride + i)]) *
                     static_cast<double>(w[static_cast<std::size_t>(i * valid + j)]);
          return sum;
        };
        auto each = [&](auto check) {
          for (int b = 0; b < blocks; ++b)
            for (int r = 0; r < rows; ++r)
              for (int j = 0; j < columns; ++j) check(b, r, j, static_cast<std::size_t>((b * rows + r) * columns + j));
        };
        each([&](int b, int r, int j, std::size_t i) {
          ASSERT_NEAR(static_cast<double>(c[i]),
                      static_cast<double>(bias[static_cast<std::size_t>(j)]) + exact(b, r, j), this->tolerance);
        });
        c = c0;
        p.c.data = c.data();
        p.accumulate = true;
        k.product(p);
        each([&](int b, int r, int j, std::size_t i) {
          ASSERT_NEAR(static_cast<double>(c[i]), static_cast<double>(c0[i]) + exact(b, r, j), this->tolerance);
        });
        k.outer_product({p.a, depth, {c0.data(), columns, rows * columns}, columns, rows, blocks, g.data()});
        for (int i = 0; i < depth; ++i)
          for (int j = 0; j < columns; ++j) {
            const auto at = static_cast<std::size_t>(i * columns + j);
            double sum = static_cast<double>(g0[at]);
            for (int b = 0; b < blocks; ++b)
              for (int r = 0; r < rows; ++r)
                sum += static_cast<double>(a[static_cast<std::size_t>(b * block + r * a_stride + i)]) *
                       static_cast<double>(c0[static_cast<std::size_t>((b * rows + r) * columns + j)]);
            ASSERT_NEAR(static_cast<double>(g[at]), sum, 5 * this->tolerance);
          }
      }
}

TYPED_TEST(Products, PackingAMatrixEqualsPackingItsTranspose) {
  using T = TypeParam;
  for (int rows : {1, 5, 16, 37})
    for (int valid : {1, 15, 16, 50}) {
      const int columns = (valid + column_unit - 1) / column_unit * column_unit, depth = rows + 3;
      const AlignedArray<T> w = random_array<T>(rows * valid, 6);
      AlignedArray<T> transposed(w.size()), one(static_cast<std::size_t>(depth * columns)), other = one;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < valid; ++j)
          transposed[static_cast<std::size_t>(j * rows + i)] = w[static_cast<std::size_t>(i * valid + j)];
      kernels<T>().pack({w.data(), valid, rows, valid, 2, depth, columns, one.data()});
      kernels<T>().pack_transposed({transposed.data(), rows, rows, valid, 2, depth, columns, other.data()});
      for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], other[i]) << i;
    }
}

TYPED_TEST(Products, SwishAndItsSlopeAreAccurateFarFromZero) {
  using T = TypeParam;
  AlignedArray<T> x(column_unit), y(column_unit), slope(column_unit);
  const double points[] = {0, 1, -1, 5, -5, 20, -20, 87, -87, 200, -200, 1e4, -1e4, 1e-6, -1e-6, 0.5};
  for (std::size_t i = 0; i < 16; ++i) x[i] = static_cast<T>(points[i]);
  const Rows<const T> in{x.data(), column_unit, column_unit};
  kernels<T>().swish({in, {y.data(), column_unit, column_unit}, {slope.data(), column_unit, column_unit}, 16, 1, 1});
  for (std::size_t i = 0; i < 16; ++i) {
    const double v = points[i], s = 1 / (1 + std::exp(-v));
    EXPECT_NEAR(static_cast<double>(y[i]), v * s, 1e-6 * (1e-3 + std::abs(v * s))) << v;
    EXPECT_NEAR(static_cast<double>(slope[i]), s + v * s * (1 - s), 1e-6) << v;
  }
}

TYPED_TEST(Products, AdamTakesTheTextbookStep) {
  using T = TypeParam;
  constexpr int size = 48, slices = 3;
  AlignedArray<T> p = random_array<T>(size, 7), m = random_array<T>(size, 8), g = random_array<T>(size * slices, 9),
                  v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = static_cast<T>(0.1 + static_cast<double>(i));
  const AlignedArray<T> p0 = p, m0 = m, v0 = v;
  kernels<T>().adam({p.data(), m.data(), v.data(), g.data(), size, slices, size, T(0.5), T(0.01), T(1e-8)});
  for (std::size_t i = 0; i < size; ++i) {
    const double gi = 0.5 * static_cast<double>(g[i] + g[i + size] + g[i + 2 * size]);
    const double mean = 0.9 * static_cast<double>(m0[i]) + 0.1 * gi;
    const double square = 0.999 * static_cast<double>(v0[i]) + 0.001 * gi * gi;
    EXPECT_NEAR(static_cast<double>(p[i]), static_cast<double>(p0[i]) - 0.01 * mean / (std::sqrt(square) + 1e-8), 1e-6);
  }
}

}  // namespace
}  // namespace gfdt::network

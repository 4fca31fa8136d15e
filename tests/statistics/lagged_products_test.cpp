#include "gfdt/statistics/series/lagged_products.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

struct Shape {
  int later, earlier, lanes, lags;
  std::uint64_t samples;
};

/// A stream of later and earlier quantities, each sample [later and earlier][lane]; each quantity has a scale and mean
/// of its own.
std::vector<double> stream(const Shape& shape, std::uint64_t seed) {
  const std::size_t rows = static_cast<std::size_t>(shape.later + shape.earlier);
  const std::size_t lanes = static_cast<std::size_t>(shape.lanes);
  std::vector<double> values = autoregressive(0.8, shape.samples * rows * lanes, seed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double row = static_cast<double>(i / lanes % rows);
    values[i] = std::pow(10, row) * (values[i] + row);
  }
  return values;
}

std::vector<LaggedSums> products(const Shape& shape, const std::vector<double>& values,
                                 lanes::Isa isa = lanes::best_isa()) {
  LaggedProducts sums(shape.later, shape.earlier, shape.lanes, shape.lags, isa);
  const std::size_t stride = static_cast<std::size_t>((shape.later + shape.earlier) * shape.lanes);
  sums.add(values.data(), values.data() + shape.later * shape.lanes, shape.samples, stride, stride);
  return sums.finish();
}

class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, AgreeWithTheSumsOverAllTimes) {
  const Shape& shape = GetParam();
  const std::size_t rows = static_cast<std::size_t>(shape.later + shape.earlier);
  const std::vector<double> values = stream(shape, 31);
  for (const lanes::Isa isa : lanes::available_isas()) {
    const std::vector<LaggedSums> found = products(shape, values, isa);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(shape.lanes));
    for (std::size_t lane = 0; lane < found.size(); lane += 3)
      for (std::size_t m = 0; m < static_cast<std::size_t>(shape.later); ++m)
        for (std::size_t j = 0; j < static_cast<std::size_t>(shape.earlier); ++j) {
          const auto at = [&](std::size_t row, std::uint64_t t) {
            return values[(t * rows + row) * found.size() + lane];
          };
          const std::size_t b = static_cast<std::size_t>(shape.later) + j;
          double norm_a = 0, norm_b = 0;
          for (std::uint64_t t = 0; t < shape.samples; ++t) {
            norm_a += at(m, t) * at(m, t);
            norm_b += at(b, t) * at(b, t);
          }
          const double scale = static_cast<double>(shape.samples);
          for (std::size_t lag = 0; lag < static_cast<std::size_t>(shape.lags); ++lag) {
            LaggedSums::Entry direct;
            for (std::uint64_t t = lag; t < shape.samples; ++t) {
              direct.count += 1;
              direct.product += at(m, t) * at(b, t - lag);
              direct.later += at(m, t);
              direct.earlier += at(b, t - lag);
            }
            const LaggedSums::Entry entry = found[lane].entry(m, j, lag, 0, 0);
            ASSERT_EQ(entry.count, direct.count);
            ASSERT_NEAR(entry.product, direct.product, 1e-13 * std::sqrt(norm_a * norm_b)) << name(isa) << ' ' << lag;
            ASSERT_NEAR(entry.later, direct.later, 1e-13 * std::sqrt(norm_a * scale)) << lag;
            ASSERT_NEAR(entry.earlier, direct.earlier, 1e-13 * std::sqrt(norm_b * scale)) << lag;
          }
        }
  }
}

INSTANTIATE_TEST_SUITE_P(OfOneChunkAndLess, Shapes,
                         testing::Values(Shape{1, 1, 1, 16, 16}, Shape{1, 1, 1, 16, 15}, Shape{2, 1, 3, 20, 1},
                                         Shape{1, 2, 9, 40, 30}));
INSTANTIATE_TEST_SUITE_P(OfSeveralChunks, Shapes,
                         testing::Values(Shape{1, 1, 1, 16, 17}, Shape{1, 1, 4, 16, 32}, Shape{2, 3, 20, 16, 100},
                                         Shape{3, 2, 8, 64, 641}, Shape{2, 1, 2, 1, 50}, Shape{1, 1, 1, 50, 700}));
INSTANTIATE_TEST_SUITE_P(DeeperThanTheCache, Shapes, testing::Values(Shape{1, 1, 1, 300, 1700}));

TEST(LaggedProducts, DoNotDependOnHowSamplesAreBatched) {
  const Shape shape{1, 2, 3, 17, 500};
  const std::vector<double> values = stream(shape, 32);
  const std::vector<LaggedSums> at_once = products(shape, values);
  LaggedProducts pieces(shape.later, shape.earlier, shape.lanes, shape.lags);
  for (std::uint64_t done = 0, piece = 1; done < shape.samples; done += piece) {
    piece = std::min<std::uint64_t>(1 + done % 29, shape.samples - done);
    pieces.add(values.data() + done * 9, values.data() + done * 9 + 3, piece, 9, 9);
  }
  const std::vector<LaggedSums> in_pieces = pieces.finish();
  for (std::size_t lane = 0; lane < 3; ++lane) {
    EXPECT_EQ(at_once[lane].product, in_pieces[lane].product);
    EXPECT_EQ(at_once[lane].later, in_pieces[lane].later);
    EXPECT_EQ(at_once[lane].earlier, in_pieces[lane].earlier);
  }
}

TEST(LaggedProducts, OfAMemberDoNotDependOnItsLane) {
  const Shape shape{1, 1, 11, 30, 200};
  std::vector<double> values = stream(shape, 33);
  const std::vector<LaggedSums> before = products(shape, values);
  for (std::size_t i = 0; i < values.size(); i += 11) std::swap(values[i + 2], values[i + 9]);
  const std::vector<LaggedSums> after = products(shape, values);
  EXPECT_EQ(before[2].product, after[9].product);
  EXPECT_EQ(before[9].product, after[2].product);
}

TEST(LaggedProducts, ConfineNonFiniteValuesToTheirMember) {
  const Shape shape{2, 1, 5, 20, 100};
  std::vector<double> values = stream(shape, 34);
  const std::vector<LaggedSums> clean = products(shape, values);
  values[(50 * 3 + 1) * 5 + 2] = std::nan("");
  values[(60 * 3 + 2) * 5 + 2] = INFINITY;
  const std::vector<LaggedSums> found = products(shape, values);
  EXPECT_TRUE(std::isnan(found[2].product[0]));
  for (const std::size_t lane : {0, 1, 3, 4}) EXPECT_EQ(found[lane].product, clean[lane].product);
}

TEST(LaggedProducts, OfFloatsEqualThoseOfTheSameDoubles) {
  std::vector<float> floats;
  for (const double x : autoregressive(0.5, 300, 23)) floats.push_back(static_cast<float>(x));
  const std::vector<double> doubles(floats.begin(), floats.end());
  LaggedProducts a(1, 1, 1, 5), b(a);
  a.add(floats.data(), floats.data(), 300);
  b.add(doubles.data(), doubles.data(), 300);
  EXPECT_EQ(a.finish()[0].product, b.finish()[0].product);
}

TEST(LaggedProducts, OfNothingAreZero) {
  const LaggedSums sums = LaggedProducts(1, 1, 1, 5).finish()[0];
  EXPECT_EQ(sums.count, std::vector<double>(5, 0.0));
  EXPECT_EQ(sums.product, std::vector<double>(5, 0.0));
}

TEST(LaggedProducts, ReportTheirMemory) {
  // 49 pairs of 2048 complex numbers in 16 lanes, and little more than half of that for everything else
  const std::size_t sums = 49 * 2048 * 16 * 16;
  EXPECT_GT(LaggedProducts::bytes(7, 7, 16, 2000), sums);
  EXPECT_LT(LaggedProducts::bytes(7, 7, 16, 2000), sums * 8 / 5);
  EXPECT_EQ(LaggedProducts::bytes(7, 7, 9, 1025), LaggedProducts::bytes(7, 7, 16, 2048));
}

}  // namespace
}  // namespace gfdt::statistics

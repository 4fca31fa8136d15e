#include "gfdt/base/philox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// Random123 triggers warnings that are errors in this project.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

namespace gfdt::codegen {
namespace {

// Test vectors of the file kat_vectors in the Random123 distribution.
static_assert(philox({0, 0, 0, 0}, {0, 0}) == Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

TEST(Philox, EqualsRandom123) {
  const Stream arguments(11, Purpose::test, 0);
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const Counter counter = arguments.block(2 * i), more = arguments.block(2 * i + 1);
    const r123::Philox4x32::ctr_type theirs{{counter[0], counter[1], counter[2], counter[3]}};
    const auto expected = r123::Philox4x32()(theirs, r123::Philox4x32::key_type{{more[0], more[1]}});
    const Counter got = philox(counter, {more[0], more[1]});
    for (std::size_t word = 0; word < 4; ++word) ASSERT_EQ(got[word], expected[word]);
  }
}

TEST(Stream, UsesSeedPurposeIdAndPositionAsDocumented) {
  const Stream stream(0x123456789abcdef0, Purpose::sampling, 77);
  const std::uint64_t block = 0x500000003;
  const Counter words = philox({3, 5, 77, 3}, {0x9abcdef0, 0x12345678});
  EXPECT_EQ(stream.block(block), words);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(stream.at(4 * block + i), words[i]);
  EXPECT_EQ(stream.wide(2 * block + 1), std::uint64_t{words[3]} << 32 | words[2]);
  EXPECT_EQ(stream.normal(4 * block + 3), box_muller(words[2], words[3])[1]);
  EXPECT_EQ(stream.sign(128 * block + 37), (words[1] >> 5 & 1) != 0 ? -1.0 : 1.0);
}

TEST(Stream, UniformsStayInsideTheOpenInterval) {
  const Stream stream(3, Purpose::test, 1);
  double lowest = 1, highest = 0, sum = 0;
  constexpr int count = 1000000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double u = stream.uniform(i);
    lowest = std::min(lowest, u), highest = std::max(highest, u), sum += u;
  }
  EXPECT_GT(lowest, 0.0);
  EXPECT_LT(highest, 1.0);
  EXPECT_LT((0xfffffffffffff + 0.5) * 0x1p-52, 1.0) << "the largest uniform";
  // The mean is normal with standard deviation 1/√(12 n); 4.9 standard deviations give a false alarm rate of 1e-6.
  EXPECT_NEAR(sum / count, 0.5, 4.9 / std::sqrt(12.0 * count));
}

TEST(Stream, IndexIsUniform) {
  const Stream stream(3, Purpose::test, 2);
  constexpr int cells = 7, count = 700000;
  double hits[cells] = {};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t index = stream.index(i, cells);
    ASSERT_LT(index, cells);
    ++hits[index];
  }
  double chi_square = 0;
  for (const double each : hits) chi_square += (each - count / cells) * (each - count / cells) / (count / cells);
  EXPECT_LT(chi_square, 38.3) << "exceeded with probability 1e-6 at 6 degrees of freedom";
}

}  // namespace
}  // namespace gfdt::codegen

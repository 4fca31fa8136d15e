#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gfdt/codegen/random/normals.hpp"

namespace gfdt::codegen {
namespace {

struct alignas(64) Line {
  float values[16];
};

struct Rows {
  explicit Rows(std::size_t count) : lines((count + 15) / 16), span(lines.front().values, count) {}
  std::vector<Line> lines;
  std::span<float> span;
};

std::vector<std::uint32_t> some_ids(std::size_t count) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < count; ++i) ids.push_back(i % 3 == 0 ? 0xffffffffu - i : 5 * i);
  return ids;
}

constexpr std::uint64_t seed = 0xfedcba9876543210;
constexpr std::uint64_t across_32_bits = 0xfffffffd;
constexpr double rounding = 4e-7 * 6.77;  // error bound of box_muller_test.cpp at the largest radius

TEST(FillNormals, EqualsTheScalarStreamsOnEveryInstructionSet) {
  for (const lanes::Isa isa : lanes::available_isas()) {
    for (const std::size_t width : {16, 48}) {
      const auto ids = some_ids(width);
      for (std::size_t blocks = 1; blocks <= 8; ++blocks) {
        Rows rows(4 * blocks * width);
        fill_normals(rows.span, ids, seed, Purpose::initial, across_32_bits, isa);
        for (std::size_t row = 0; row < 4 * blocks; ++row) {
          for (std::size_t lane = 0; lane < width; ++lane) {
            const double exact = Stream(seed, Purpose::initial, ids[lane]).normal(4 * across_32_bits + row);
            ASSERT_NEAR(rows.span[row * width + lane], exact, rounding)
                << lanes::name(isa) << " row " << row << " lane " << lane;
          }
        }
      }
    }
  }
}

TEST(FillNormals, DoesNotDependOnTheDivisionIntoCalls) {
  const auto ids = some_ids(16);
  for (const lanes::Isa isa : lanes::available_isas()) {
    constexpr std::size_t blocks = 20;
    Rows whole(4 * blocks * 16), pieces(4 * blocks * 16);
    fill_normals(whole.span, ids, seed, Purpose::noise, 1000, isa);
    for (std::size_t start = 0, length = 1; start < blocks; start += length, length = length % 5 + 1) {
      length = std::min(length, blocks - start);
      fill_normals(pieces.span.subspan(64 * start, 64 * length), ids, seed, Purpose::noise, 1000 + start, isa);
    }
    for (std::size_t i = 0; i < whole.span.size(); ++i) ASSERT_EQ(whole.span[i], pieces.span[i]) << lanes::name(isa);
  }
}

TEST(FillNormals, AgreesBetweenInstructionSetsOverManyWords) {
  const auto ids = some_ids(16);
  constexpr std::size_t blocks = 20000;
  Rows reference(64 * blocks), rows(64 * blocks);
  fill_normals(reference.span, ids, seed, Purpose::noise, 0, lanes::Isa::baseline);
  for (const lanes::Isa isa : lanes::available_isas()) {
    fill_normals(rows.span, ids, seed, Purpose::noise, 0, isa);
    for (std::size_t i = 0; i < rows.span.size(); ++i) ASSERT_NEAR(rows.span[i], reference.span[i], 2 * rounding);
  }
}

TEST(FillSigns, EqualsTheScalarStreamsOnEveryInstructionSet) {
  const auto ids = some_ids(32);
  for (const lanes::Isa isa : lanes::available_isas()) {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{30}, std::uint64_t{12345}, 32 * across_32_bits}) {
      for (const std::size_t blocks : {1, 9, 31, 70}) {
        Rows rows(4 * blocks * 32);
        fill_signs(rows.span, ids, seed, Purpose::signs, first, isa);
        for (std::size_t row = 0; row < 4 * blocks; ++row)
          for (std::size_t lane = 0; lane < 32; ++lane)
            ASSERT_EQ(rows.span[row * 32 + lane], Stream(seed, Purpose::signs, ids[lane]).sign(4 * first + row));
      }
    }
  }
}

}  // namespace
}  // namespace gfdt::codegen

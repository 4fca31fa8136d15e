// The map from words to normals at extreme words, which random tests rarely reach, and the exact tail over all words.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::codegen::test {

GFDT_DECLARE_FOR_EACH_ISA(void box_muller(const unsigned* a, const unsigned* b, float* first, float* second);)

namespace {

struct Pairs {
  alignas(64) float first[16], second[16];
};

Pairs lane_box_muller(lanes::Isa isa, const unsigned (&a)[16], const unsigned (&b)[16]) {
  Pairs result;
  GFDT_CHOOSE_ISA(isa, box_muller)(a, b, result.first, result.second);
  return result;
}

void expect_equal_to_scalar(const unsigned (&a)[16], const unsigned (&b)[16]) {
  for (const lanes::Isa isa : lanes::available_isas()) {
    const Pairs got = lane_box_muller(isa, a, b);
    for (int i = 0; i < 16; ++i) {
      const auto exact = codegen::box_muller(a[i], b[i]);
      const double radius = std::hypot(exact[0], exact[1]);
      ASSERT_NEAR(got.first[i], exact[0], 4e-7 * radius) << lanes::name(isa) << " " << a[i] << " " << b[i];
      ASSERT_NEAR(got.second[i], exact[1], 4e-7 * radius) << lanes::name(isa) << " " << a[i] << " " << b[i];
    }
  }
}

TEST(BoxMuller, IsAccurateNearPowersOfTwoAndThreeHalvesOfThem) {
  const unsigned b[16] = {0,          1,          0x1fffffff, 0x20000000, 0x3fffffff, 0x40000000,
                          0x7fffffff, 0x80000000, 0xbfffffff, 0xc0000000, 0xffffffff, 0x12345678,
                          0x9abcdef0, 0x5a5a5a5a, 0xdeadbeef, 0x20000001};
  for (int power = 0; power <= 32; ++power) {
    for (const std::uint64_t start : {std::uint64_t{2} << power >> 1, std::uint64_t{3} << power >> 1}) {
      for (int offset = -600; offset <= 600; ++offset) {
        unsigned a[16];
        for (unsigned& word : a) word = static_cast<unsigned>(start + static_cast<std::uint64_t>(offset));
        expect_equal_to_scalar(a, b);
      }
    }
  }
}

TEST(BoxMuller, IsAccurateOnRandomWords) {
  const Stream words(1, Purpose::test, 0);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    unsigned a[16], b[16];
    for (std::uint64_t lane = 0; lane < 16; ++lane)
      a[lane] = words.at(32 * i + lane), b[lane] = words.at(32 * i + 16 + lane);
    expect_equal_to_scalar(a, b);
  }
}

TEST(BoxMuller, LargestNormalIsSixAndThreeQuartersAndAllAreFinite) {
  const double reach = std::sqrt(66 * std::numbers::ln2);
  const unsigned lowest[16] = {}, highest[16] = {0xffffffff, 0xffffffff, 0xffffff80, 0xffffff00};
  const unsigned angles[16] = {0x20000000, 0x1fffffff, 0xa0000000, 0xdfffffff, 0};
  for (const lanes::Isa isa : lanes::available_isas()) {
    const Pairs far = lane_box_muller(isa, lowest, angles);
    EXPECT_NEAR(far.first[0], reach, 1e-5);
    EXPECT_NEAR(far.second[1], reach, 1e-5);
    EXPECT_NEAR(far.first[2], -reach, 1e-5);
    EXPECT_NEAR(far.first[4], reach * std::numbers::sqrt2 / 2, 1e-5);
    const Pairs near = lane_box_muller(isa, highest, angles);
    EXPECT_EQ(near.first[0], 0.0f);
    EXPECT_EQ(near.second[1], 0.0f);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(near.first[i]) && std::isfinite(near.second[i]));
  }
}

// P(|Z| > z) = 2⁻³² Σ_a 2/π acos(z / r(a)) over the words a with radius r(a) > z, which are the first e^{−z²/2} 2³²
// words.
double exact_tail(double z) {
  double sum = 0;
  for (std::uint32_t a = 0;; ++a) {
    const auto pair = codegen::box_muller(a, 0x20000000);
    const double radius = std::hypot(pair[0], pair[1]);
    if (radius <= z) return sum * 0x1p-32;
    sum += 2 / std::numbers::pi * std::acos(z / radius);
  }
}

TEST(BoxMuller, TailOverAllWordsAgreesWithTheNormalDistribution) {
  const auto relative_error = [](double z) { return exact_tail(z) / std::erfc(z / std::numbers::sqrt2) - 1; };
  EXPECT_NEAR(relative_error(4.5), 0, 1e-5);
  EXPECT_NEAR(relative_error(5.0), 0, 1e-4);
  EXPECT_NEAR(relative_error(5.5), 0, 1e-3);
  EXPECT_NEAR(relative_error(6.0), 0, 1e-2);
  EXPECT_NEAR(relative_error(6.5), 0, 0.2);
}

}  // namespace
}  // namespace gfdt::codegen::test

#include "gfdt/simulate/stability_guard.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

template <class T>
class Guard : public testing::Test {
 protected:
  static constexpr int lanes = 16;

  /// A scalar u and a ring X of three sites.
  static symbolic::Model model() {
    symbolic::Description description;
    return build(description.index("k", 3).state("u", "-u", "1").state("X[k]", "-X[k]", "1"));
  }

  codegen::AlignedArray<T> state(T value = 1) const {
    codegen::AlignedArray<T> result(4 * lanes);
    for (T& entry : result.span()) entry = value;
    return result;
  }

  /// All states are 1, except one.
  codegen::AlignedArray<T> with(std::size_t row, std::size_t lane, T value) const {
    codegen::AlignedArray<T> result = state();
    result[row * lanes + lane] = value;
    return result;
  }

  static std::vector<bool> soundness(const StabilityGuard<T>& guard) {
    std::vector<bool> result;
    for (int lane = 0; lane < lanes; ++lane) result.push_back(guard.sound(lane));
    return result;
  }

  static std::vector<bool> all_but(std::size_t lane) {
    std::vector<bool> result(lanes, true);
    result[lane] = false;
    return result;
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Guard, Precisions);

TYPED_TEST(Guard, DetectsNonFiniteValuesAtAnySite) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
    for (std::size_t row = 0; row < 4; ++row)
      for (const std::size_t lane : {0, 5, 15}) {
        StabilityGuard<TypeParam> guard(this->model(), this->lanes);
        guard.watch(this->with(row, lane, value), lane == 5);
        EXPECT_EQ(this->soundness(guard), this->all_but(lane)) << value << " in row " << row;
      }
}

TYPED_TEST(Guard, RemembersAMemberThatRecovered) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch(this->with(1, 3, std::numeric_limits<TypeParam>::quiet_NaN()), true);
  guard.watch(this->state(), false);
  EXPECT_EQ(this->soundness(guard), this->all_but(3));
}

TYPED_TEST(Guard, DetectsFiniteValuesThatAreAbsurdForTheirField) {
  symbolic::Model model = this->model();
  model.initial[0] = {.mean = -100, .std = 0};
  StabilityGuard<TypeParam> guard(model, this->lanes);
  guard.watch(this->with(0, 3, static_cast<TypeParam>(9e7)), false);
  guard.watch(this->with(2, 4, static_cast<TypeParam>(-9e5)), false);
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
  guard.watch(this->with(2, 4, static_cast<TypeParam>(-2e6)), false);
  EXPECT_EQ(this->soundness(guard), this->all_but(4));
}

TYPED_TEST(Guard, AllowsGrowthInTheBurnInButNotAfterwards) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch(this->with(1, 4, static_cast<TypeParam>(9e5)), true);
  guard.watch(this->with(1, 4, static_cast<TypeParam>(8e11)), true);
  guard.watch(this->with(1, 4, static_cast<TypeParam>(7e17)), false);
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
  guard.watch(this->with(1, 4, static_cast<TypeParam>(9e17)), false);
  EXPECT_EQ(this->soundness(guard), this->all_but(4));
}

TYPED_TEST(Guard, DetectsAJumpInTheBurnIn) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch(this->with(1, 4, static_cast<TypeParam>(2e6)), true);
  EXPECT_EQ(this->soundness(guard), this->all_but(4));
}

TYPED_TEST(Guard, ReportsThatAllMembersAreLost) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch(this->with(0, 0, std::numeric_limits<TypeParam>::quiet_NaN()), false);
  EXPECT_TRUE(guard.all_lost(1));
  EXPECT_FALSE(guard.all_lost(2));
}

}  // namespace
}  // namespace gfdt::simulate

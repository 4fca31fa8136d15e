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
  static model::Model model() {
    model::Description description;
    return build(description.index("k", 3).state("u", "-u", "1").state("X[k]", "-X[k]", "1"));
  }

  kernel::AlignedArray<T> state(T value = 1) const {
    kernel::AlignedArray<T> result(4 * lanes);
    for (T& entry : result.span()) entry = value;
    return result;
  }

  /// All states 1 but one.
  kernel::AlignedArray<T> with(std::size_t row, std::size_t lane, T value) const {
    kernel::AlignedArray<T> result = state();
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

  StabilityGuard<T> after_burn_in() const {
    StabilityGuard<T> guard(model(), lanes);
    guard.watch_burn_in(state());
    guard.end_burn_in(lanes);
    return guard;
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Guard, Precisions);

TYPED_TEST(Guard, FindsWhatIsNotFiniteAtAnySite) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
    for (std::size_t row = 0; row < 4; ++row)
      for (const std::size_t lane : {0, 5, 15}) {
        StabilityGuard<TypeParam> sampling = this->after_burn_in();
        sampling.watch(this->with(row, lane, value));
        EXPECT_EQ(this->soundness(sampling), this->all_but(lane)) << value << " in row " << row;

        StabilityGuard<TypeParam> burning(this->model(), this->lanes);
        burning.watch_burn_in(this->with(row, lane, value));
        EXPECT_EQ(this->soundness(burning), this->all_but(lane)) << value << " in row " << row;

        StabilityGuard<TypeParam> without(this->model(), this->lanes);
        without.watch(this->with(row, lane, value));
        EXPECT_EQ(this->soundness(without), this->all_but(lane)) << value << " in row " << row;
      }
}

TYPED_TEST(Guard, RemembersAMemberThatCameBack) {
  StabilityGuard<TypeParam> guard = this->after_burn_in();
  guard.watch(this->with(1, 3, std::numeric_limits<TypeParam>::quiet_NaN()));
  guard.watch(this->state());
  EXPECT_EQ(this->soundness(guard), this->all_but(3));
}

TYPED_TEST(Guard, ComparesWithTheBurnInOfTheSameField) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  kernel::AlignedArray<TypeParam> burn_in = this->state();
  for (std::size_t lane = 0; lane < this->lanes; ++lane) burn_in[lane] = 100;  // the field u is large
  guard.watch_burn_in(burn_in);
  guard.end_burn_in(this->lanes);
  guard.watch(this->state(9999));
  guard.watch(this->with(0, 3, 20000));
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
  guard.watch(this->with(1, 3, -20000));
  EXPECT_EQ(this->soundness(guard), this->all_but(3));
}

TYPED_TEST(Guard, FindsAMemberThatLeftTheOthersInTheBurnIn) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch_burn_in(this->with(2, 3, 20000));
  guard.watch_burn_in(this->state());
  guard.end_burn_in(this->lanes);
  EXPECT_EQ(this->soundness(guard), this->all_but(3));
}

TYPED_TEST(Guard, AllowsAMemberToGrowToTheSizeOfTheOthers) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  kernel::AlignedArray<TypeParam> burn_in = this->state();
  for (std::size_t row = 0; row < 4; ++row) burn_in[row * this->lanes + 3] = static_cast<TypeParam>(1e-6);
  guard.watch_burn_in(burn_in);
  guard.end_burn_in(this->lanes);
  guard.watch(this->state(2));
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
}

TYPED_TEST(Guard, DoesNotCountPadding) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  kernel::AlignedArray<TypeParam> burn_in = this->state(1e6);
  for (std::size_t row = 0; row < 4; ++row) burn_in[row * this->lanes] = 1;
  guard.watch_burn_in(burn_in);
  guard.end_burn_in(1);
  guard.watch(this->with(0, 0, 20000));
  EXPECT_FALSE(guard.sound(0));
}

TYPED_TEST(Guard, AllowsAnythingFiniteWithoutABurnIn) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch_burn_in(this->state());
  guard.watch(this->state(static_cast<TypeParam>(1e30)));
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
}

TYPED_TEST(Guard, AllowsAFieldThatWasZeroInTheBurnIn) {
  StabilityGuard<TypeParam> guard(this->model(), this->lanes);
  guard.watch_burn_in(this->state(0));
  guard.end_burn_in(this->lanes);
  guard.watch(this->state());
  EXPECT_EQ(this->soundness(guard), std::vector<bool>(this->lanes, true));
}

TYPED_TEST(Guard, KnowsWhenAllMembersAreLost) {
  StabilityGuard<TypeParam> guard = this->after_burn_in();
  guard.watch(this->with(0, 0, std::numeric_limits<TypeParam>::infinity()));
  EXPECT_TRUE(guard.all_lost(1));
  EXPECT_FALSE(guard.all_lost(2));
}

}  // namespace
}  // namespace gfdt::simulate

#include <gmock/gmock.h>

#include <numbers>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

struct Way {
  Scheme scheme;
  codegen::Backend backend;
};

class TimeOf : public testing::TestWithParam<Way> {
 protected:
  Options options() const { return {.burn_in = 0, .scheme = GetParam().scheme, .backend = GetParam().backend}; }
};

TEST_P(TimeOf, AdvancesByTheTimeStep) {
  Description d = ornstein_uhlenbeck();
  d.time = true;
  Options o = options();
  o.members = 3;
  o.dt = 0.01;
  o.length = 2000;
  o.burn_in = 100;
  o.cadence = 50;
  const Recorder run = record(build(d), o);
  ASSERT_EQ(run.rows(), 2u);
  ASSERT_EQ(run.samples(), 4000u);
  for (std::size_t member = 0; member < 3; ++member)
    for (std::size_t sample = 0; sample < run.samples(); ++sample)
      ASSERT_NEAR(run.at(member, sample, 1), 100 + 0.5 * static_cast<double>(sample + 1), 1e-9) << sample;
}

TEST_P(TimeOf, DoesNotAffectOtherStates) {
  Description d = ornstein_uhlenbeck();
  Options o = options();
  o.members = 5;
  o.length = 10;
  const Recorder without = record(build(d), o);
  d.period = 1.0;
  const Recorder with = record(build(d), o);
  for (std::size_t member = 0; member < 5; ++member)
    for (std::size_t sample = 0; sample < with.samples(); ++sample)
      ASSERT_EQ(with.at(member, sample, 0), without.at(member, sample, 0));
}

/// |x(10) − sin 10| for dx = cos(t) dt from 0.
double error_of_a_sine(Options o, double dt) {
  Description d;
  d.state("x", "cos(t)");
  d.time = true;
  start_at(d, "x", 0);
  o.members = 1;
  o.dt = dt;
  o.length = 10;
  const Recorder run = record(build(d), o);
  return std::abs(run.at(0, run.samples() - 1, 0) - std::sin(10.0));
}

TEST_P(TimeOf, IsEvaluatedAtTheStagesOfTheScheme) {
  const double coarse = error_of_a_sine(options(), 0.1), fine = error_of_a_sine(options(), 0.05);
  const double order = std::log2(coarse / fine);
  EXPECT_NEAR(order,
              GetParam().scheme == Scheme::euler_maruyama ? 1
              : GetParam().scheme == Scheme::weak2        ? 2
                                                          : 4,
              0.15);
}

// dx = √2 cos(t) dW has the variance ∫₀ᵀ 2 cos² = T + sin(T) cos(T). With amplitudes at the left point only and dt =
// 0.2, the error is 0.2 (1 − cos² T) = 0.14 = 5 standard errors.
TEST_P(TimeOf, AffectsTheNoise) {
  Description d;
  d.state("x", "0", "sqrt(2)*cos(t)");
  d.time = true;
  start_at(d, "x", 0);
  Options o = options();
  o.members = 20000;
  o.dt = 0.2;
  o.length = 1;
  o.cadence = 5;
  const Recorder run = record(build(d), o);
  double left = 0, squares = 0;
  for (int step = 0; step < 5; ++step) left += 2 * 0.2 * std::pow(std::cos(0.2 * step), 2);
  for (std::size_t member = 0; member < 20000; ++member) squares += std::pow(run.at(member, 0, 0), 2) / 20000;
  const double exact = 1 + std::sin(1.0) * std::cos(1.0);
  const double expected = GetParam().scheme == Scheme::weak2 ? exact : left;
  // 4.4 standard errors of a variance give a false alarm rate of 1e-5. The error of second order is dt²/6 |sin 2| =
  // 0.006.
  EXPECT_NEAR(squares, expected, 4.4 * expected * std::sqrt(2.0 / 20000) + 0.008);
}

INSTANTIATE_TEST_SUITE_P(All, TimeOf,
                         testing::Values(Way{Scheme::euler_maruyama, codegen::Backend::interpreter},
                                         Way{Scheme::rk4, codegen::Backend::interpreter},
                                         Way{Scheme::weak2, codegen::Backend::interpreter},
                                         Way{Scheme::rk4, codegen::Backend::automatic}));

TEST(Time, MayGrowWithoutLimit) {
  Description d;
  d.state("x", "0");
  d.time = true;
  const Options o{.dt = 1e5, .members = 2, .length = 1e9, .burn_in = 0, .backend = codegen::Backend::interpreter};
  EXPECT_EQ(run(build(d), o, {}).status, Status::done);
  EXPECT_EQ(run(build(d), o, {}).replaced_members, 0);
  Description untimed;
  untimed.state("x", "1");
  EXPECT_EQ(run(build(untimed), o, {}).status, Status::unstable);
}

TEST(Time, RequiresDoublePrecision) {
  Description d = ornstein_uhlenbeck();
  const Options o{
      .members = 1, .length = 1, .precision = Precision::single_precision, .backend = codegen::Backend::interpreter};
  EXPECT_EQ(complaint<Error>([&] { run(build(d), o, {}); }), "");
  d.time = true;
  EXPECT_THAT(complaint<Error>([&] { run(build(d), o, {}); }), HasSubstr("runs in double precision"));
}

TEST(Time, LengthsConsistOfWholePeriodsInEachThird) {
  Description d = ornstein_uhlenbeck();
  EXPECT_EQ(length_in_whole_periods(build(d), 123.4), 123.4);
  d.time = true;
  EXPECT_EQ(length_in_whole_periods(build(d), 123.4), 123.4);
  d.period = 2.0;
  const symbolic::Model m = build(d);
  EXPECT_DOUBLE_EQ(length_in_whole_periods(m, 123.4), 120);
  EXPECT_DOUBLE_EQ(length_in_whole_periods(m, 6), 6);
  EXPECT_EQ(length_in_whole_periods(m, 5.99), 0);
  d.period = 0.1;
  EXPECT_DOUBLE_EQ(length_in_whole_periods(build(d), 0.3), 0.3);
  EXPECT_TRUE(holds_whole_periods(m, {.dt = 0.01, .length = 120}));
  EXPECT_TRUE(holds_whole_periods(m, {.dt = 0.07, .length = 120, .cadence = 3}));
  EXPECT_FALSE(holds_whole_periods(m, {.dt = 0.01, .length = 122}));
  EXPECT_FALSE(holds_whole_periods(m, {.dt = 0.01, .length = 0.01}));
}

}  // namespace
}  // namespace gfdt::simulate

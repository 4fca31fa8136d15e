// The choice of the burn-in and the effect of the time step, from pilot runs.
#include "gfdt/statistics/checks/pilot_run.hpp"

#include <gmock/gmock.h>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

constexpr auto interpreter = codegen::Backend::interpreter;

symbolic::Model ornstein_uhlenbeck(double alpha, double start) {
  Description description;
  description.parameter("alpha", alpha).state("x", "-alpha*x", "1").observable("v", "x^2");
  description.initial.push_back({"x", {start, 1}});
  return build(description);
}

simulate::Options options() { return {.dt = 0.02, .members = 200, .length = 100, .backend = interpreter}; }

TEST(BurnIn, IsATenthOfALongRun) {
  const BurnIn found = choose_burn_in(ornstein_uhlenbeck(5, 0), options());
  EXPECT_EQ(found.time, 10);
  EXPECT_TRUE(found.resolved);
  EXPECT_TRUE(found.diagnostic().passed());
}

// τ = 4, known to 30 %, and a start at a distance of 80 standard deviations, which 64 members detect for about 5 τ.
TEST(BurnIn, IsLongComparedWithMemoryAndTransients) {
  const BurnIn near = choose_burn_in(ornstein_uhlenbeck(0.25, 0), options());
  EXPECT_GT(near.time, 26);
  EXPECT_LT(near.time, 60);
  EXPECT_EQ(near.transient, 0);
  const BurnIn far = choose_burn_in(ornstein_uhlenbeck(0.25, 100), options());
  EXPECT_GT(far.transient, 10);
  EXPECT_GT(far.time, near.time);
  EXPECT_THAT(far.diagnostic().text, HasSubstr("averages moved for"));
}

TEST(BurnIn, IsUnchangedIfGiven) {
  simulate::Options given = options();
  given.burn_in = 3;
  BurnIn found = choose_burn_in(ornstein_uhlenbeck(0.25, 0), given);
  EXPECT_EQ(found.time, 3);
  EXPECT_FALSE(found.pilot.has_value());
  EXPECT_FALSE(found.lengthen());
}

TEST(BurnIn, DoesNotDependOnThreads) {
  simulate::Options one = options(), three = options();
  one.threads = 1;
  three.threads = 3;
  EXPECT_EQ(choose_burn_in(ornstein_uhlenbeck(0.2, 3), one).time,
            choose_burn_in(ornstein_uhlenbeck(0.2, 3), three).time);
}

TEST(BurnIn, IsLengthenedUpToTwiceTheLength) {
  BurnIn found = choose_burn_in(ornstein_uhlenbeck(5, 0), options());
  EXPECT_TRUE(found.lengthen());
  EXPECT_EQ(found.time, 40);
  EXPECT_TRUE(found.lengthen());
  EXPECT_TRUE(found.lengthen());
  EXPECT_EQ(found.time, 200);
  EXPECT_FALSE(found.lengthen());
  EXPECT_THAT(found.diagnostic().text, HasSubstr("lengthened 3 times"));
}

TEST(BurnIn, CannotBeEstimatedIfMembersDoNotMix) {
  Description description;
  description.state("x", "x - x^3", "0.2").observable("m", "x");
  const BurnIn found = choose_burn_in(build(description), options());
  EXPECT_FALSE(found.told);
  EXPECT_EQ(found.time, 10);
}

// Euler–Maruyama has <x²> = 1/(2α − α² dt): for α dt = 0.5 it is a third too large.
TEST(TimeStep, IsReportedIfItsBiasMatters) {
  simulate::Options coarse = options();
  coarse.dt = 0.1;
  const symbolic::Model model = ornstein_uhlenbeck(5, 0);
  const PilotRun pilot = pilot_run(model, coarse, pilot_work, {});
  EXPECT_FALSE(time_step(model, pilot, {}).passed());
}

}  // namespace
}  // namespace gfdt::statistics

#include <gmock/gmock.h>

#include "../../temporary_folder.hpp"
#include "gfdt/symbolic/derived/derivative_check.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::to_string;
using testing::HasSubstr;

/// A lattice and a scalar, driven periodically in time.
Description driven(const std::string& time = "t") {
  Description d;
  d.index("k", 3).parameter("F", 2).parameter("s", 0.5);
  d.state("X[k]", "-X[k] + F*X[k+1]*cos(" + time + ")", "s*exp(sin(" + time + ") + X[k])").state("y", "-s*y^3", "");
  return d.observable("phase", "y*sin(" + time + ")");
}

std::string failure(const Description& description) {
  return complaint<Error>([&] { build(description); });
}

TEST(Time, IsTheLastState) {
  Description d = driven();
  d.period = 6.0;
  d.formula("tide", "cos(t)^2").observable("high", "tide > 0.5");
  const Model m = build(d);
  ASSERT_EQ(m.states.size(), 3u);
  EXPECT_EQ(m.time_state, 2u);
  EXPECT_EQ(m.period, 6.0);
  EXPECT_EQ(m.dimension(), 5);
  EXPECT_EQ(m.states[2].name, "t");
  EXPECT_EQ(to_string(m.drift[2]), "1");
  EXPECT_EQ(m.initial[2].mean, 0);
  EXPECT_EQ(m.initial[2].std, 0);
  EXPECT_EQ(m.initial[1].std, 1);
  ASSERT_EQ(m.diffusion.size(), 1u);
  EXPECT_EQ(m.noises.size(), 1u);
  EXPECT_EQ(to_string(m.observables[0].formula), "y*sin(t)");
}

TEST(Time, NeedsNoPeriod) {
  Description d = driven();
  d.time = true;
  const Model m = build(d);
  EXPECT_EQ(m.time_state, 2u);
  EXPECT_FALSE(m.period);
}

TEST(Time, MustBeDeclared) {
  EXPECT_THAT(failure(driven()), HasSubstr("The name t is not known. If it is the time, say so in [model]: 'period"));
  EXPECT_FALSE(build(driven("s")).time_state);
}

TEST(Time, NameIsReserved) {
  const auto named = [](const auto& add) {
    Description d;
    d.state("x", "-x", "1");
    add(d);
    EXPECT_EQ(failure(d), "");
    d.time = true;
    return failure(d);
  };
  for (const std::string& message :
       {named([](Description& d) { d.state("t", "-t"); }), named([](Description& d) { d.parameter("t", 1); }),
        named([](Description& d) { d.index("t", 2); }),
        named([](Description& d) { d.index("k", 2).state("t[k]", "1"); }),
        named([](Description& d) { d.formula("t", "x"); }), named([](Description& d) { d.observable("t", "x"); })})
    EXPECT_THAT(message, HasSubstr("'t' is the time in this model and cannot be the name of anything else."));
}

TEST(Time, AcceptsNoFormulas) {
  Description d = driven();
  d.time = true;
  d.drift.push_back({"t", "2"});
  EXPECT_THAT(failure(d), HasSubstr("'t' is not a state"));
}

TEST(Time, RejectsAPeriodThatIsNotPositive) {
  for (const double period : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    Description d = driven();
    d.period = period;
    EXPECT_THAT(failure(d), HasSubstr("it must be a positive time."));
  }
}

TEST(Time, DoesNotDependOnParameters) {
  Description d = driven();
  d.period = 6.0;
  const Model m = build(d);
  for (const char* parameter : {"F", "s"}) {
    const Perturbation change = perturbation(m, parameter);
    EXPECT_TRUE(change.drift[2].is_number(0));
    EXPECT_TRUE(change.diffusion_divergence[2].is_number(0));
    for (const MatrixEntry& entry : change.diffusion) EXPECT_TRUE(entry.row == 0 && entry.column == 0);
  }
  // A parameter in place of the time gives the same derivatives.
  Description still = driven("c");
  still.parameter("c", 1);
  const Perturbation moving = perturbation(m, "s"), fixed = perturbation(build(still), "s");
  EXPECT_EQ(to_string(moving.drift_divergence), to_string(fixed.drift_divergence));
  EXPECT_NE(to_string(moving.diffusion_double_divergence), "0");
  EXPECT_EQ(to_string(moving.drift[1]), to_string(fixed.drift[1]));
}

TEST(Time, DerivativesAreCheckedAtDifferentTimes) {
  Description d = driven();
  d.period = 6.0;
  const std::vector<DerivativeCheck> checks = check_derivatives(build(d));
  EXPECT_GE(checks.size(), 4u);
  for (const DerivativeCheck& check : checks) EXPECT_TRUE(check.agrees()) << check.what << ' ' << check.largest_error;
}

}  // namespace
}  // namespace gfdt::symbolic

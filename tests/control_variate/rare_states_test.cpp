#include "gfdt/control_variate/rare_states.hpp"

#include <gmock/gmock.h>

#include "cubic_model.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"

namespace gfdt::control_variate {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

simulate::Options run_of(int members, double length, std::uint64_t seed) {
  return {.dt = 0.005,
          .members = members,
          .length = length,
          .burn_in = 20,
          .scheme = simulate::Scheme::weak2,
          .seed = seed,
          .backend = codegen::Backend::interpreter};
}

struct Judged {
  std::vector<statistics::Average> before, after;
  RareStates rare;
  Diagnostic diagnostic;
};

Judged judge(const symbolic::Model& model, const simulate::Options& options) {
  const ControlledStatistics made = controlled_statistics(model, simulate::ModelSource(model, options), {}, {}, {});
  std::vector<statistics::Average> averages = made.run.observables;
  std::vector<double> covariance = made.run.mean_covariance;
  const statistics::PilotRun pilot = statistics::pilot_run(model, options, statistics::pilot_work, {});
  RareStates rare = RareStates::of(model, options, pilot, averages, made.control ? &*made.control : nullptr, {}, {});
  Diagnostic diagnostic = rare.include(model, options, averages, covariance);
  for (std::size_t m = 0; m < averages.size(); ++m)
    EXPECT_NEAR(covariance[m * (averages.size() + 1)], std::pow(averages[m].standard_error, 2),
                1e-6 * std::pow(averages[m].standard_error, 2));
  return {made.run.observables, averages, std::move(rare), std::move(diagnostic)};
}

/// A well near 1.15 and a shelf near −0.6, where the drift nearly vanishes: 0.1 % of the time is spent below zero, in
/// excursions that last about ten time units.
symbolic::Model shelf() {
  Description description;
  description.state("x", "2*(0.37 + 0.85*x - 0.83*x^3)");
  description.diffusion.push_back({"x", {{"additive", "0.6"}, {"multiplicative", "0.185*x"}}});
  return build(description.observable("spread", "(x - 1.15)^2").observable("fourth", "x^4"));
}

TEST(RareStates, AreIncludedInTheErrorsIfARunHasMissedThem) {
  const symbolic::Model model = shelf();
  const std::vector<double> exact = score::stationary_statistics(model).mean;
  int missed = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Judged found = judge(model, run_of(20, 60, seed));
    ASSERT_TRUE(found.rare.judged());
    bool off = false;
    for (std::size_t m = 0; m < exact.size(); ++m) {
      off |= std::abs(found.before[m].mean - exact[m]) > 4 * found.before[m].standard_error;
      wrong += std::abs(found.after[m].mean - exact[m]) > 4 * found.after[m].standard_error;
    }
    missed += off;
    if (!off) continue;
    EXPECT_FALSE(found.diagnostic.passed()) << seed;
    EXPECT_THAT(found.diagnostic.text, HasSubstr("States near x = ")) << seed;
    EXPECT_THAT(found.diagnostic.remedy, HasSubstr("simulation.length")) << seed;
  }
  EXPECT_GE(missed, 4);
  EXPECT_EQ(wrong, 0);
}

// 60 tests without a false alarm: the rate is below 5 % with a confidence of 95 %.
TEST(RareStates, AreNotReportedForModelsWithOneWell) {
  Description gaussian;
  gaussian.state("x", "-x", "1").observable("mean", "x").observable("second", "x^2").observable("far", "x > 1.5");
  Description pair;
  pair.state("x", "-x + 0.5*y", "1")
      .state("y", "-x - y", "0.7")
      .observable("product", "x*y")
      .observable("fourth", "y^4");
  Description multiplicative;
  multiplicative.state("x", "1 - x", "0.5*sqrt(1 + x^2)").observable("second", "x^2").observable("size", "abs(x)");
  Description square_root;
  square_root.initial.push_back({"x", {1, 0.1}});
  square_root.state("x", "1 - x", "0.25*sqrt(x)").observable("second", "x^2").observable("far", "x > 1.5");
  const symbolic::Model models[] = {build(gaussian), build(pair), build(multiplicative), build(square_root), cubic()};
  for (const symbolic::Model& model : models)
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const Judged found = judge(model, run_of(40, 100, seed));
      EXPECT_TRUE(found.rare.judged());
      EXPECT_TRUE(found.diagnostic.passed()) << found.diagnostic.text;
    }
}

// Nor on lattices that are coupled to other states.
TEST(RareStates, AreNotJudgedOnLattices) {
  Description ring;
  ring.index("k", 8).state("X[k]", "-X[k]", "1").observable("second", "sum(k, X[k]^2)");
  Description driven = ring;
  driven.state("y", "-y + sum(k, X[k])/8", "1");
  for (const symbolic::Model& model : {build(ring), build(driven)}) {
    const Judged found = judge(model, run_of(20, 20, 1));
    EXPECT_FALSE(found.rare.judged());
    EXPECT_TRUE(found.diagnostic.unresolved());
    EXPECT_TRUE(found.diagnostic.passed());
  }
}

}  // namespace
}  // namespace gfdt::control_variate

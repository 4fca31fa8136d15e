// Metastable states that a run may have missed, and similar models without metastable states.
#include "gfdt/statistics/checks/metastability.hpp"

#include <gmock/gmock.h>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

/// The diagnostic for a run of this length, in which 128 and 256 members represent those of the run.
Diagnostic look(const Description& description, double length = 200, std::uint64_t seed = 1,
                simulate::Scheme scheme = simulate::Scheme::euler_maruyama) {
  const symbolic::Model model = build(description);
  const simulate::Options options{
      .dt = 0.02, .length = length, .scheme = scheme, .seed = seed, .backend = codegen::Backend::interpreter};
  return metastability(model, options, pilot_run(model, options, pilot_work, {}));
}

/// x' = x − x³ + h with noise amplitude s: wells near −1 and 1. Members start in the right one.
Description double_well(const std::string& h, const std::string& s) {
  Description description;
  description.state("x", "x - x^3 + " + h, s);
  description.initial.push_back({"x", {1, 0.05}});
  return description;
}

// The barrier is 20 times the temperature, so no run crosses it. The wells have equal depths, or one is much deeper.
TEST(Metastability, FindsAWellThatNoMemberVisits) {
  for (const char* h : {"0", "-0.1", "0.1"}) {
    const Diagnostic found = look(double_well(h, "0.16"));
    EXPECT_FALSE(found.passed()) << h;
    EXPECT_THAT(found.text, HasSubstr("near x = -")) << h;
    EXPECT_THAT(found.remedy, HasSubstr("simulation.length")) << h;
  }
}

TEST(Metastability, FindsItWithEachScheme) {
  for (const auto scheme : {simulate::Scheme::weak2, simulate::Scheme::rk4})
    EXPECT_FALSE(look(double_well("0.05", "0.16"), 200, 1, scheme).passed());
}

// A fixed point at zero inside a limit cycle of radius √(1 + √(3/4)) = 1.4: both states have zero mean.
TEST(Metastability, FindsAnOscillationByMeanSquares) {
  Description description;
  description.formula("g", "-0.25 + 2*(x^2 + y^2) - (x^2 + y^2)^2")
      .state("x", "g*x - y", "0.03")
      .state("y", "g*y + x", "0.03");
  for (const char* state : {"x", "y"}) description.initial.push_back({state, {0, 0.01}});
  const Diagnostic found = look(description);
  EXPECT_FALSE(found.passed());
  EXPECT_THAT(found.text, HasSubstr("^2 = "));
}

// Members cross the barrier every 5 time units.
TEST(Metastability, IsAbsentIfMembersSwitch) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_TRUE(look(double_well("0.1", "0.7"), 200, seed).passed()) << seed;
}

TEST(Metastability, IsAbsentInASingleWell) {
  Description linear, quartic;
  linear.state("x", "-x", "1");
  quartic.state("x", "1 - x^3", "0.5");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_TRUE(look(linear, 200, seed).passed()) << seed;
    EXPECT_TRUE(look(quartic, 200, seed).passed()) << seed;
  }
}

// P(|x| > y) decays like y^-3: stronger noise drives members so far out that they are still returning.
TEST(Metastability, IsAbsentInHeavyTails) {
  Description description;
  description.state("x", "-x", "sqrt(1 + x^2)");
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) alarms += look(description, 200, seed).passed() ? 0 : 1;
  EXPECT_LE(alarms, 1);  // 0.1 are expected at a rate of 5e-3
}

// For x, y < 0 populations grow without bound; noise that vanishes at zero does not lead there.
TEST(Metastability, IsAbsentOutsideTheDomainOfTheModel) {
  Description description;
  description.state("x", "x*(1 - x/1.5) - 1.2*x*y/(1 + x) + 0.1", "0.25*x")
      .state("y", "1.2*x*y/(1 + x) - 0.5*y + 0.1", "0.25*y");
  for (const char* state : {"x", "y"}) description.initial.push_back({state, {0.8, 0.1}});
  const Diagnostic found = look(description);
  EXPECT_TRUE(found.passed()) << found.text;
  EXPECT_FALSE(found.unresolved());
}

// x + y is conserved.
TEST(Metastability, IsAbsentIfTheModelConservesAQuantity) {
  Description description;
  description.state("x", "y - x").state("y", "x - y");
  description.diffusion.push_back({"x", {{"exchange", "0.3"}}});
  description.diffusion.push_back({"y", {{"exchange", "-0.3"}}});
  const Diagnostic found = look(description);
  EXPECT_TRUE(found.passed()) << found.text;
}

// Noise of the square-root process for which it stays away from zero; with three times as much noise it does not.
TEST(Metastability, IsNotJudgedIfMembersBlowUp) {
  Description description;
  description.state("v", "0.2*(0.04 - v)", "0.02*sqrt(v)");
  description.initial.push_back({"v", {0.04, 0}});
  EXPECT_FALSE(look(description, 1000).unresolved());
  description.diffusion[0].terms[0].formula = "0.06*sqrt(v)";
  const Diagnostic found = look(description, 1000);
  EXPECT_TRUE(found.passed());
  EXPECT_TRUE(found.unresolved());
}

TEST(Metastability, DoesNotDependOnThreads) {
  const symbolic::Model model = build(double_well("0.1", "0.16"));
  simulate::Options options{.dt = 0.02, .length = 200, .threads = 1, .backend = codegen::Backend::interpreter};
  const PilotRun pilot = pilot_run(model, options, pilot_work, {});
  const std::string one = metastability(model, options, pilot).text;
  options.threads = 3;
  EXPECT_EQ(metastability(model, options, pilot).text, one);
}

}  // namespace
}  // namespace gfdt::statistics

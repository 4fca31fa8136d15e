// A lattice and the same model written as scalars have the same distribution: equal expectations over a step and, if
// the random numbers are in the same order, equal paths.
#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "recorder.hpp"
#include "step_expectation.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;
using State = StepExpectation::State;

std::string numbered(std::string formula, int sites, int site) {
  for (const auto& [label, offset] : {std::pair{"X[k-1]", -1}, {"X[k+1]", 1}, {"X[k]", 0}}) {
    const std::string name = "X" + std::to_string((site + offset + sites) % sites);
    for (std::size_t at; (at = formula.find(label)) != std::string::npos;)
      formula.replace(at, std::string(label).size(), name);
  }
  return formula;
}

struct Twins {
  Model lattice, scalars;
};

Twins twins(int sites, const std::string& drift, const std::string& noise) {
  Description lattice, scalars;
  lattice.index("k", sites).state("X[k]", drift, noise);
  for (int k = 0; k < sites; ++k)
    scalars.state("X" + std::to_string(k), numbered(drift, sites, k), numbered(noise, sites, k));
  return {build(lattice), build(scalars)};
}

/// Compares all first and second moments, and some third moments, after a step.
void expect_same_moments(const Model& a, const Model& b, const State& start, StepExpectation::Spread spread) {
  const StepExpectation of_a(a, Scheme::weak2, 0.3), of_b(b, Scheme::weak2, 0.3);
  EXPECT_EQ(of_a.pair_signs(), of_b.pair_signs());
  for (std::size_t i = 0; i < start.size(); ++i)
    for (std::size_t j = i; j <= start.size(); ++j) {
      const auto f = [&](const State& x) { return x[i] * (j < x.size() ? x[j] * (1 + x[0]) : 1); };
      const auto value = [&](const StepExpectation& e) { return e.expectation(start, f, 3, {}, spread); };
      EXPECT_NEAR(value(of_a), value(of_b), 1e-12) << i << " " << j;
    }
}

TEST(LatticeNoise, OfTheSiteItselfAgreesWithTheScalarsPathByPath) {
  const Twins models = twins(5, "-X[k] + 0.3*X[k-1]*X[k+1] + 1", "0.2 + 0.3*X[k]");
  for (const Scheme scheme : {Scheme::euler_maruyama, Scheme::rk4, Scheme::weak2}) {
    const Options options{
        .dt = 0.05, .members = 70, .length = 5, .scheme = scheme, .backend = codegen::Backend::interpreter};
    const Recorder a = record(models.lattice, options), b = record(models.scalars, options);
    for (std::size_t member = 0; member < 70; ++member)
      for (std::size_t i = 0; i < a.path(member).size(); ++i)
        ASSERT_NEAR(a.path(member)[i], b.path(member)[i], 1e-11) << name(scheme);
  }
}

TEST(LatticeNoise, OfNeighboursHasTheMomentsOfTheScalars) {
  const Twins models = twins(3, "-X[k]", "0.5 + 0.4*X[k-1] - 0.2*X[k+1]");
  expect_same_moments(models.lattice, models.scalars, {0.4, -0.3, 0.8}, StepExpectation::Spread::fixed);
}

TEST(LatticeNoise, OfAFunctionOfANeighbourHasTheMomentsOfTheScalars) {
  const Twins models = twins(3, "-X[k]", "exp(0.5*X[k-1])");
  expect_same_moments(models.lattice, models.scalars, {0.4, -0.3, 0.8}, StepExpectation::Spread::enumerated);
}

TEST(LatticeNoise, SharedWithAGlobalNoiseHasTheMomentsOfTheScalars) {
  Description lattice, scalars;
  lattice.index("k", 2).state("X[k]", "-X[k]");
  drive(lattice, "X", {{"own[k]", "1 + 0.5*X[k]"}, {"all", "0.3*X[k]"}});
  scalars.state("X0", "-X0").state("X1", "-X1");
  for (const std::string x : {"X0", "X1"}) drive(scalars, x, {{"own" + x, "1 + 0.5*" + x}, {"all", "0.3*" + x}});
  expect_same_moments(build(lattice), build(scalars), {0.4, -0.3}, StepExpectation::Spread::fixed);
}

// The noise of one ring is the amplitude of the noise of smaller rings: each pair of noises has its own V.
TEST(LatticeNoise, OfAFieldWithMoreIndicesThanTheOneItDependsOn) {
  Description lattice, scalars;
  lattice.index("k", 2).index("j", 2).state("X[k]", "-X[k]", "0.5").state("Y[k,j]", "-Y[k,j]", "1 + X[k]");
  for (const std::string k : {"0", "1"}) scalars.state("X" + k, "-X" + k, "0.5");
  for (const std::string k : {"0", "1"})
    for (const std::string j : {"0", "1"}) scalars.state("Y" + k + j, "-Y" + k + j, "1 + X" + k);
  const StepExpectation a(build(lattice), Scheme::weak2, 0.3), b(build(scalars), Scheme::weak2, 0.3);
  EXPECT_EQ(b.pair_signs(), 4u);
  EXPECT_EQ(a.pair_signs(), 4u);
  const State start{0.2, -0.4, 1, 2, 3, 4};
  const auto f = [](const State& x) { return x[2] * x[3]; };
  const auto value = [&](const StepExpectation& e) {
    return e.expectation(start, f, 3, {}, StepExpectation::Spread::fixed);
  };
  EXPECT_NEAR(value(a), value(b), 1e-12);
}

TEST(LatticeNoise, OfAFieldWithMoreIndicesAtAShiftedSite) {
  Description lattice, scalars;
  lattice.index("j", 2).index("k", 1).state("X[k]", "-X[k]", "0.5").state("Y[j,k]", "-Y[j,k]", "1 + X[k+1]");
  scalars.state("X", "-X", "0.5");
  for (const std::string j : {"0", "1"}) scalars.state("Y" + j, "-Y" + j, "1 + X");
  expect_same_moments(build(lattice), build(scalars), {0.2, 1, 2}, StepExpectation::Spread::fixed);
}

std::string complaint(const Model& model, Scheme scheme) {
  try {
    step_plan(model, scheme);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LatticeNoise, OfASumOverSitesIsRejectedByWeak2Only) {
  Description description;
  description.index("k", 4).state("X[k]", "-X[k]", "1 + mean(k, X[k]^2)");
  const Model model = build(description);
  EXPECT_THAT(complaint(model, Scheme::weak2), HasSubstr("depends on a sum over sites. Use euler-maruyama."));
  EXPECT_EQ(complaint(model, Scheme::euler_maruyama), "");
  EXPECT_EQ(complaint(model, Scheme::rk4), "");
  Sink* const* none = nullptr;
  EXPECT_THROW(run(model, {.length = 1, .scheme = Scheme::weak2}, {none, 0}), Error);
}

TEST(LatticeNoise, OfSitesHalfAPeriodApartIsRejectedByWeak2) {
  Description description;
  description.index("k", 4).state("X[k]", "-X[k]", "1 + X[k+2]");
  EXPECT_THAT(complaint(build(description), Scheme::weak2), HasSubstr("half a period apart"));
}

TEST(LatticeNoise, WithAJumpIsRejectedByWeak2) {
  Description description;
  description.state("x", "-x", "1 + (x > 0)");
  EXPECT_NE(complaint(build(description), Scheme::weak2), "");
}

}  // namespace
}  // namespace gfdt::simulate

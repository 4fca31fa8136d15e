#include "gfdt/control_variate/dictionary/coordinates.hpp"

#include <gmock/gmock.h>

#include "../symbolic/model/nested_formulas.hpp"
#include "models_for_dictionaries.hpp"
#include "numeric_generator.hpp"

namespace gfdt::control_variate {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::ElementsAre;

std::vector<std::string> names(symbolic::Model model, const std::vector<Expression>& additions = {}) {
  model.coordinates = additions;
  std::vector<std::string> result;
  for (const Coordinate& coordinate : coordinates_of(model)) result.push_back(coordinate.name);
  return result;
}

Description one_state(const std::string& drift, const std::string& noise = "1") {
  return Description().parameter("c", 0.5).state("x", drift, noise);
}

TEST(Coordinates, AreTheStatesAndTheAtomsOfTheFormulas) {
  EXPECT_THAT(names(build(symbolic::triad())), ElementsAre("u1", "u2", "tau", "tanh(u1)"));
  EXPECT_THAT(names(build(symbolic::triad().observable("a", "tanh(u1)^2*u2").observable("b", "exp(-u2)"))),
              ElementsAre("u1", "u2", "tau", "tanh(u1)", "exp(-u2)"));
  EXPECT_THAT(names(build(symbolic::scalar().observable("third", "(x + 1)^3"))), ElementsAre("x"));
}

TEST(Coordinates, DoNotIncludeFunctionsOfParametersAlone) {
  EXPECT_THAT(names(build(one_state("-exp(c)*x", "sqrt(1 + c)"))), ElementsAre("x"));
}

TEST(Coordinates, VisitASharedFormulaOnlyOnce) {
  const std::vector<std::string> found = names(build(symbolic::nested_formulas(60)));
  ASSERT_EQ(found.size(), 8u);
  for (const std::string& name : found) EXPECT_LT(name.size(), 1000u);
}

TEST(Coordinates, RootsAndQuotientsAreAtoms) {
  EXPECT_THAT(names(build(one_state("-x/(1 + x^2)", "sqrt(2 + x^2)"))),
              ElementsAre("x", "1/(1 + x^2)", "sqrt(2 + x^2)"));
}

TEST(Coordinates, ComparisonsAndKinksMakeRamps) {
  const symbolic::Model model = build(one_state("-x - max(x, c)")
                                          .observable("tail", "x > 1")
                                          .observable("size", "abs(x + 2)")
                                          .observable("m", "min(x, -1)"));
  const std::vector<Coordinate> found = coordinates_of(model);
  ASSERT_EQ(found.size(), 5u);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_EQ(found[i].shape, Coordinate::Shape::ramp);
  // Each is max(h, 0) of the h that changes sign at the kink.
  const auto ramp = [&](std::size_t i, double x) { return value_at(model, found[i].value(), {x}); };
  for (const double x : {-2.5, -1.5, 0.2, 0.7, 1.7}) {
    EXPECT_DOUBLE_EQ(ramp(1, x), std::max(0.5 - x, 0.0));
    EXPECT_DOUBLE_EQ(ramp(2, x), std::max(x - 1, 0.0));
    EXPECT_DOUBLE_EQ(ramp(3, x), std::max(x + 2, 0.0));
    EXPECT_DOUBLE_EQ(ramp(4, x), std::max(-1 - x, 0.0));
  }
}

// L of a function with a kink contains a delta function that samples do not show.
TEST(Coordinates, AtomsWithKinksAreLeftOut) {
  EXPECT_THAT(names(build(one_state("-x*exp(-abs(x))"))), ElementsAre("x", "x"));
  EXPECT_THAT(names(build(one_state("-x", "sqrt(1 + max(x, 0))"))), ElementsAre("x", "-x"));
  EXPECT_THAT(names(build(one_state("-x").observable("band", "abs(x) < c"))), ElementsAre("x", "x"));
}

TEST(Coordinates, OnARingDependOnASingleSite) {
  EXPECT_THAT(names(noisy_ring(6)), ElementsAre("X[k]", "Y[k]", "tanh(X[k])"));
  Description d;
  d.index("k", 6).state("X[k]", "-X[k] - sin(X[k]*X[k+1]) - cos(sum(k, X[k])) + exp(-X[k-2]^2)", "1");
  EXPECT_THAT(names(build(d.observable("a", "mean(k, exp(-X[k]^2))"))), ElementsAre("X[k]", "exp(-X[k]^2)"));
}

TEST(Coordinates, IncludeUserDefinedOnesFirst) {
  const symbolic::Model model = build(symbolic::triad());
  const Expression u2 = model.states[1].self();
  EXPECT_THAT(names(model, {symbolic::call(symbolic::Function::cos, {u2})}),
              ElementsAre("u1", "u2", "tau", "cos(u2)", "tanh(u1)"));
}

TEST(Coordinates, ExistForScalarsAndOneRing) {
  EXPECT_TRUE(has_dictionary(build(symbolic::triad())));
  EXPECT_TRUE(has_dictionary(noisy_ring(5)));
  EXPECT_FALSE(has_dictionary(build(symbolic::two_scale_lorenz96())));
  Description driven = one_state("-x + sin(t)");
  driven.time = true;
  EXPECT_FALSE(has_dictionary(build(driven)));
}

/// Compares L y and ∇yᵀD∇z of all coordinates, at all sites and offsets, with finite differences.
void check_operators(const symbolic::Model& model, const State& x) {
  const NumericGenerator numeric(model);
  const Operator l = generator(model);
  const std::vector<Coordinate> all = coordinates_of(model);
  const int sites = sites_of(model);
  const auto at = [&](const Coordinate& y, int site) {
    return [&model, formula = y.value(), site](const State& z) { return value_at(model, formula, z, site); };
  };
  for (const Coordinate& y : all)
    for (int site = 0; site < sites; ++site) {
      const double found = value_at(model, applied(model, l, y), x, site);
      EXPECT_NEAR(found, numeric.applied(at(y, site), x), 1e-7) << y.name << " at " << site;
      for (const Coordinate& z : all)
        for (int offset = 0; offset < sites; ++offset)
          EXPECT_NEAR(value_at(model, coupling(model, l, y, z, offset), x, site),
                      numeric.coupling(at(y, site), at(z, (site + offset) % sites), x), 1e-9)
              << y.name << ", " << z.name << " at " << site << " + " << offset;
    }
}

TEST(Generator, OfCoordinatesAgreesWithFiniteDifferences) {
  check_operators(build(symbolic::triad()), {0.3, -0.7, 1.2});
  check_operators(correlated(), {0.4, -0.8});
  check_operators(kinked(), {1.1, 0.3});
  check_operators(kinked(), {0.1, -0.3});
  check_operators(build(symbolic::quartic()), {0.6});
}

// On four sites, offsets of +2 and −2 lead to the same site.
TEST(Generator, OnARingAgreesWithFiniteDifferences) {
  check_operators(noisy_ring(3), {0.4, -0.8, 1.1, 0.2, 0.9, -0.5});
  check_operators(noisy_ring(4), {0.4, -0.8, 1.1, 0.2, 0.9, -0.5, 0.6, -0.1});
  Description wide;
  wide.index("k", 4).state("X[k]", "-X[k]");
  wide.diffusion = {{"X", {{"w[k-1]", "X[k]"}, {"w[k+1]", "0.3"}, {"w[k]", "1"}}}};
  check_operators(build(wide), {0.4, -0.8, 1.1, 0.2});
}

}  // namespace
}  // namespace gfdt::control_variate

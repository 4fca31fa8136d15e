#include <gmock/gmock.h>

#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/text/print.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::to_string;
using testing::ElementsAre;

template <class Item>
std::vector<std::string> names(const std::vector<Item>& items) {
  std::vector<std::string> result;
  for (const Item& item : items) result.push_back(item.name);
  return result;
}

TEST(Build, PreservesTheOrderOfDeclarations) {
  Description d;
  d.index("k", 5).index("a_k", 2);
  d.parameter("zeta", 1).parameter("alpha", 2).parameter("beta", 3);
  d.state("y", "-y", "alpha").state("Z[a_k,k]", "-Z[a_k,k]", "beta").state("X[k]", "-zeta*X[k]");
  d.observable("second", "y^2").observable("first", "y");
  Model m = build(d);
  EXPECT_THAT(names(m.indices), ElementsAre("k", "a_k"));
  EXPECT_THAT(names(m.states), ElementsAre("y", "Z", "X"));
  EXPECT_THAT(names(m.parameters), ElementsAre("zeta", "alpha", "beta"));
  EXPECT_THAT(names(m.noises), ElementsAre("w.y", "w.Z"));
  EXPECT_THAT(names(m.observables), ElementsAre("second", "first"));
  EXPECT_EQ(m.parameter_values().size(), 3u);
  EXPECT_EQ(m.dimension(), 1 + 10 + 5);
  EXPECT_EQ(m.states[1].label(), "Z[a_k,k]");
}

TEST(Build, DriftMayBeGivenInAnyOrderAndWithIndices) {
  Description d;
  d.index("k", 4);
  d.states = {"X[k]", "y"};
  d.drift = {{"y", "-2*y"}, {"X[k]", "-X[k]"}};
  Model m = build(d);
  EXPECT_EQ(to_string(m.drift[0]), "-X[k]");
  EXPECT_EQ(to_string(m.drift[1]), "-2*y");
  EXPECT_TRUE(m.noises.empty() && m.diffusion.empty());
}

TEST(Build, FormulasMayReferToEachOtherInAnyOrder) {
  Description d;
  d.index("k", 4).parameter("a", 1);
  d.state("X[k]", "top[k]");
  d.formula("top[k]", "middle[k+1] - X[k]").formula("middle[k]", "bottom*X[k]").formula("bottom", "3*a");
  EXPECT_EQ(to_string(build(d).drift[0]), "-X[k] + 3*a*X[k+1]");
}

TEST(Build, ObservablesMayReferToEachOtherAndToFormulas) {
  Description d;
  d.state("x", "-x").formula("square", "x^2");
  d.observable("variance", "second - first^2").observable("second", "square").observable("first", "x");
  Model m = build(d);
  EXPECT_EQ(to_string(m.observables[0].formula), "0");
  EXPECT_EQ(to_string(m.observables[1].formula), "x^2");
}

TEST(Build, AnObservableMayHaveAReservedName) {
  Description d;
  d.index("k", 4).state("X[k]", "-X[k]");
  d.observable("mean", "mean(k, X[k])").observable("max", "max(0, mean(k, X[k]^2))");
  Model m = build(d);
  EXPECT_THAT(names(m.observables), ElementsAre("mean", "max"));
  EXPECT_EQ(to_string(m.observables[0].formula), "mean(k, X[k])");
}

TEST(Build, AStateMayBeObservedUnderItsOwnName) {
  Description d;
  d.state("x", "-x", "1").state("y", "x - y", "1");
  const Model m = build(d.observable("x", " x ").observable("both", "x*y"));
  EXPECT_THAT(names(m.observables), ElementsAre("x", "both"));
  EXPECT_EQ(to_string(m.observables[0].formula), "x");
  EXPECT_EQ(to_string(m.observables[1].formula), "x*y");
}

TEST(Build, AMeanOfNeighbourProductsIsPrintedAsAMean) {
  Description d = lorenz96();
  d.observable("C1", "mean(k, X[k]*X[k+1])");
  EXPECT_EQ(to_string(build(d).observables[0].formula), "mean(k, X[k]*X[k+1])");
}

TEST(Build, ParametersMayLieOnTheirBounds) {
  Description d = ou();
  d.parameters[0].lower = 1.0;
  d.parameters[1].upper = 1.0;
  Model m = build(d);
  EXPECT_EQ(m.parameter("alpha").lower, 1.0);
  EXPECT_EQ(m.parameter("beta").upper, 1.0);
}

TEST(Build, ALatticeOfOneSiteIsItsOwnNeighbour) {
  Description d;
  d.index("k", 1).state("X[k]", "X[k+1] - 2*X[k] + X[k-1] - X[k]");
  EXPECT_EQ(to_string(build(d).drift[0]), "-X[k]");
}

TEST(Build, InitialDistributionsAreStandardNormalUnlessGiven) {
  Description d;
  d.state("x", "-x").state("y", "-y");
  d.initial.push_back({"y", {3, 0}});
  Model m = build(d);
  EXPECT_EQ(m.initial[0].mean, 0);
  EXPECT_EQ(m.initial[0].std, 1);
  EXPECT_EQ(m.initial[1].mean, 3);
  EXPECT_EQ(m.initial[1].std, 0);
}

}  // namespace
}  // namespace gfdt::symbolic

#include "gfdt/symbolic/derived/likelihood_weights.hpp"

#include <gmock/gmock.h>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/derived/noise_inverse.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/model/point.hpp"
#include "nested_formulas.hpp"

namespace gfdt::symbolic {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

void drive(Description& description, const std::string& state, std::initializer_list<NamedText> terms) {
  description.diffusion.push_back({state, terms});
}

/// Largest component of Σ Σ⁺ v − v at random states; v has one formula per state.
double worst_residual(const Model& model, const std::vector<Expression>& v) {
  const NoiseInverse inverse = noise_inverse(model);
  double worst = 0;
  for (std::uint32_t n = 0; n < 8; ++n) {
    const Point point(model, 3, n);
    std::vector<double> left;
    for (const Expression& component : v) left.push_back(-point(component));
    for (const NoiseInverse::Entry& entry : inverse.entries)
      for (const DiffusionTerm& term : model.diffusion)
        if (term.noise == entry.noise)
          left[term.state] += point(term.amplitude) * point(entry.value) * point(v[entry.state]);
    for (const double residual : left) worst = std::max(worst, std::abs(residual));
  }
  return worst;
}

TEST(NoiseInverse, SolvesForCorrelatedMultiplicativeNoise) {
  Description description;
  description.parameter("s", 0.7).parameter("r", 0.4);
  description.state("x", "-x").state("y", "-y").state("z", "-z", "s*(2 + z)");
  drive(description, "x", {{"w1", "s"}, {"w2", "r*x"}});
  drive(description, "y", {{"w1", "r"}, {"w2", "s + y^2"}});
  const Model model = build(description);
  const Expression x = model.states[0].self(), y = model.states[1].self();
  EXPECT_LT(worst_residual(model, {x * y + 1.0, y - x, x}), 1e-12);
}

TEST(NoiseInverse, IsThePseudoinverseForMoreOrFewerNoisesThanStates) {
  Description many;
  many.parameter("s", 0.6).parameter("r", 0.8).state("x", "-x");
  drive(many, "x", {{"w1", "s"}, {"w2", "r"}});
  const Model wide = build(many);
  EXPECT_LT(worst_residual(wide, {wide.states[0].self()}), 1e-12);
  const NoiseInverse inverse = noise_inverse(wide);
  ASSERT_EQ(inverse.entries.size(), 2u);
  const Point point(wide, 1, 0);
  EXPECT_NEAR(point(inverse.entries[0].value), 0.6, 1e-12);  // s/(s² + r²)
  EXPECT_NEAR(point(inverse.entries[1].value), 0.8, 1e-12);

  Description few;
  few.parameter("s", 0.6).state("x", "-x").state("y", "-y");
  drive(few, "x", {{"w1", "s"}});
  drive(few, "y", {{"w1", "2*s"}});
  const Model tall = build(few);
  const Expression x = tall.states[0].self();
  EXPECT_THAT(noise_inverse(tall).obstacle(tall, {x, 2.0 * x}), IsEmpty());
  EXPECT_LT(worst_residual(tall, {x, 2.0 * x}), 1e-12);
  EXPECT_THAT(noise_inverse(tall).obstacle(tall, {x, x}), HasSubstr("one noise of 'x', 'y'"));
}

TEST(LikelihoodWeights, ReportTheReasonForMissingWeights) {
  const Model model = build(Description()
                                .parameter("a", 1)
                                .parameter("b", 0.5)
                                .parameter("s", 0.6)
                                .parameter("idle", 1)
                                .parameter("none", 0)
                                .state("x", "-a*x + y", "s")
                                .state("y", "-b*y + x")
                                .state("z", "-a*z", "none")
                                .observable("A", "x^2"));
  const WeightedModel weighted = with_likelihood_weights(model, {"b", "a", "s", "idle"});
  EXPECT_THAT(weighted.columns[0].unavailable, HasSubstr("'y' has no noise"));
  EXPECT_THAT(weighted.columns[1].unavailable, HasSubstr("the noise of 'z' is zero"));
  EXPECT_THAT(weighted.columns[2].unavailable, HasSubstr("not all of it by the same factor"));
  EXPECT_THAT(weighted.columns[3].unavailable, IsEmpty());
  EXPECT_FALSE(weighted.columns[3].weight);
  EXPECT_EQ(weighted.model.weights, nullptr);
  EXPECT_EQ(weighted.model.states.size(), 3u);
}

TEST(LikelihoodWeights, OfAnOverallNoiseAmplitudeEqualThoseOfADriftChange) {
  const Model model = build(Description()
                                .parameter("s", 0.5)
                                .state("x", "-x^3", "s*(1 + x^2)")
                                .state("y", "x - y", "2*s")
                                .observable("A", "x^2"));
  const WeightedModel weighted = with_likelihood_weights(model, {"s"});
  ASSERT_EQ(weighted.columns[0].weight, 0u);
  EXPECT_EQ(weighted.model.own_states(), 2u);
  EXPECT_EQ(weighted.model.own_dimension(), 2);
  EXPECT_EQ(weighted.model.dimension(), 3);
  const Expression s = Expression::symbol("s");
  EXPECT_EQ(weighted.model.weights->directions[0][1], -2.0 / s * model.drift[1]);
}

TEST(LikelihoodWeights, OfScaledStatesVanishForALinearDrift) {
  const Model model = build(Description()
                                .parameter("a", 0.5)
                                .parameter("s", 0.5)
                                .state("x", "-x + a*y", "s")
                                .state("y", "x - 2*y", "2*s")
                                .observable("A", "x^2"));
  const WeightedModel weighted = with_likelihood_weights(model, {"a", "s"}, {.plain = false, .stretched = true});
  EXPECT_EQ(weighted.columns[0].weight, 0u);
  EXPECT_FALSE(weighted.columns[0].stretched);
  EXPECT_FALSE(weighted.columns[1].weight);
  ASSERT_EQ(weighted.columns[1].stretched, 1u);
  Model shared = weighted.model;
  shared.parameters.back().value = 1;
  const Point point(shared, 1, 0);
  EXPECT_NEAR(point(weighted.columns[1].overlap), -point(weighted.columns[1].square), 1e-12);
  for (const Expression& drift : weighted.model.weights->directions[1]) EXPECT_NEAR(point(drift), 0, 1e-12);
  // With multiplicative noise, a scaled state satisfies a different equation.
  const Model other = build(Description().parameter("s", 0.5).state("x", "-x", "s*(1 + x^2)").observable("A", "x"));
  EXPECT_FALSE(with_likelihood_weights(other, {"s"}, {.plain = false, .stretched = true}).columns[0].stretched);
}

TEST(LikelihoodWeights, RejectNoisesSharedBySitesAndTimeDependentModels) {
  Description shared;
  shared.index("k", 6).parameter("a", 1).state("X[k]", "-a*X[k]");
  drive(shared, "X", {{"w", "1"}});
  EXPECT_THAT(with_likelihood_weights(build(shared), {"a"}).columns[0].unavailable,
              HasSubstr("noises of 'X[k]' are shared by several sites"));
  Description in_time = Description().parameter("a", 1).state("x", "-a*x + sin(t)", "1");
  in_time.time = true;
  EXPECT_THROW(with_likelihood_weights(build(in_time), {"a"}), Error);
}

TEST(LikelihoodWeights, AreDerivedForFormulasThatAreLongWhenExpanded) {
  const WeightedModel weighted =
      with_likelihood_weights(build(nested_formulas(40)), {"a", "s"}, {.plain = true, .stretched = true});
  ASSERT_EQ(weighted.columns.size(), 2u);
  EXPECT_TRUE(weighted.columns[0].weight);
  EXPECT_TRUE(weighted.columns[1].stretched);
}

}  // namespace
}  // namespace gfdt::symbolic

#include "gfdt/calibrate/posterior/posterior_draws.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::calibrate {
namespace {

using testing::ElementsAre;

Posterior known_to(std::vector<double> covariance, std::vector<double> precision) {
  Posterior posterior;
  posterior.covariance = std::move(covariance);
  posterior.precision = std::move(precision);
  const std::size_t size = posterior.precision.size() == 4 ? 2 : 1;
  for (std::size_t j = 0; j < size; ++j)
    posterior.standard_error.push_back(std::sqrt(posterior.covariance[j * size + j]));
  return posterior;
}

/// Covariance (0.04, 0.01; 0.01, 0.01).
Posterior of_two() { return known_to({0.04, 0.01, 0.01, 0.01}, {100.0 / 3, -100.0 / 3, -100.0 / 3, 400.0 / 3}); }

TEST(PosteriorDistribution, HasTheCovarianceOfThePosterior) {
  const PosteriorDistribution law = posterior_distribution({{"a", 0}, {"b", 0}}, {1, 2}, of_two());
  ASSERT_EQ(law.normals, 2u);
  EXPECT_TRUE(law.undetermined.empty());
  const std::vector<double>& f = law.factor;
  EXPECT_NEAR(f[0] * f[0] + f[1] * f[1], 0.04, 1e-12);
  EXPECT_NEAR(f[0] * f[2] + f[1] * f[3], 0.01, 1e-12);
  EXPECT_NEAR(f[2] * f[2] + f[3] * f[3], 0.01, 1e-12);
  EXPECT_THAT(law.at({0, 0}), ElementsAre(1, 2));
}

TEST(PosteriorDistribution, StaysWithinBounds) {
  const std::vector<FreeParameter> parameters{{"a", 0.1, 0.0}, {"b", 0.5, 0.0, 1.0}};
  const PosteriorDistribution law = posterior_distribution(parameters, {0.1, 0.9}, of_two());
  for (std::uint32_t draw = 0; draw < 100; ++draw) {
    const codegen::Stream stream(1, codegen::Purpose::test, draw);
    const std::vector<double> at = law.at({3 * stream.normal(0), 3 * stream.normal(1)});
    EXPECT_GT(at[0], 0);
    EXPECT_GT(at[1], 0);
    EXPECT_LT(at[1], 1);
  }
}

TEST(PosteriorDistribution, KeepsTheAnswerAlongUndeterminedDirections) {
  Posterior posterior = known_to({INFINITY, 0, 0, INFINITY}, {4, -4, -4, 4});  // a − b is known, a + b is not
  const PosteriorDistribution law = posterior_distribution({{"a", 0}, {"b", 0}}, {1, 2}, posterior);
  ASSERT_EQ(law.normals, 1u);
  EXPECT_THAT(law.undetermined, ElementsAre("a", "b"));
  const std::vector<double> at = law.at({1});
  EXPECT_NEAR(at[0] + at[1], 3, 1e-12);
  EXPECT_NEAR(std::abs(at[0] - at[1] + 1), 0.5, 1e-12);
}

TEST(PosteriorDistribution, IsRepresentedByConstantStates) {
  const symbolic::Model model = symbolic::build(symbolic::Description()
                                                    .parameter("a", 1)
                                                    .parameter("b", 0.5)
                                                    .parameter("c", 4)
                                                    .state("x", "-a*x + c", "b")
                                                    .observable("above", "a*x"));
  const std::vector<FreeParameter> parameters{{"a", 1, 0.0}, {"b", 0.5, 0.0, 1.0}};
  const PosteriorDistribution law = posterior_distribution(parameters, {1.5, 0.25}, of_two());
  const symbolic::Model drawn = with_drawn_parameters(model, law);
  ASSERT_EQ(drawn.states.size(), 3u);
  EXPECT_EQ(drawn.initial[2].std, 1);
  EXPECT_TRUE(drawn.drift[1].is_number(0));
  const std::vector<double> z{0.7, -1.2}, at = law.at(z);
  std::map<std::string, double> values = drawn.parameter_values();
  values["x"] = 2;
  values["draw#1"] = z[0];
  values["draw#2"] = z[1];
  const auto value = [&](const symbolic::Expression& formula) {
    return symbolic::evaluate(formula, {[&](const std::string& name) { return values.at(name); }, {}});
  };
  EXPECT_NEAR(value(drawn.drift[0]), -at[0] * 2 + 4, 1e-12);
  EXPECT_NEAR(value(drawn.diffusion[0].amplitude), at[1], 1e-12);
  EXPECT_NEAR(value(drawn.observables[0].formula), at[0] * 2, 1e-12);
}

}  // namespace
}  // namespace gfdt::calibrate

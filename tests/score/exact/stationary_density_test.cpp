#include "gfdt/score/exact/stationary_density.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "../../symbolic/model/paper_models.hpp"
#include "../estimators/field_checks.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::score {
namespace {

using score::complaint;

using symbolic::build;
using symbolic::Description;
using testing::AllOf;
using testing::HasSubstr;

Description with(Description description, const std::string& parameter, double change) {
  for (symbolic::ParameterText& known : description.parameters)
    if (known.name.text == parameter) known.value += change;
  return description;
}

Description scalar_at_the_initial_guess() {
  Description description = symbolic::scalar();
  const double values[] = {0.72, -0.02664, -0.2, 0.0494, 0.84852};
  for (std::size_t i = 0; i < 5; ++i) description.parameters[i].value = values[i];
  return description;
}

double x_squared(double x) { return x * x; }
double x_itself(double x) { return x; }
double moment(const Description& description, double (*f)(double)) {
  return StationaryDensity(build(description)).mean(f);
}
double below(const Description& description, double threshold) {
  return StationaryDensity(build(description)).cumulative(threshold);
}

/// Central differences in a parameter.
template <class Statistic>
double slope(const Description& description, const std::string& parameter, const Statistic& statistic) {
  const double h = 1e-5;
  return (statistic(with(description, parameter, h)) - statistic(with(description, parameter, -h))) / (2 * h);
}

TEST(StationaryDensity, OfOrnsteinUhlenbeckIsNormal) {
  Description description;
  description.state("x", "-0.5*(x - 3)", "2");  // mean 3, variance 4
  const StationaryDensity density(build(description));
  EXPECT_NEAR(density.mean([](double) { return 1.0; }), 1, 1e-13);
  EXPECT_NEAR(density.mean(x_itself), 3, 1e-12);
  EXPECT_NEAR(density.mean([](double x) { return (x - 3) * (x - 3); }), 4, 1e-11);
  EXPECT_NEAR(density.mean([](double x) { return std::pow(x - 3, 4); }), 48, 1e-9);
  for (const double x : {-4.0, 0.0, 2.9, 3.0, 5.5, 11.0}) {
    const double z = (x - 3) / 2;
    EXPECT_NEAR(density.density(x), std::exp(-z * z / 2) / std::sqrt(8 * std::numbers::pi), 1e-13) << x;
    EXPECT_NEAR(density.cumulative(x), std::erfc(-z / std::numbers::sqrt2) / 2, 1e-13) << x;
  }
  EXPECT_EQ(density.cumulative(-1e9), 0);
  EXPECT_EQ(density.cumulative(1e9), 1);
  EXPECT_EQ(density.density(1e9), 0);
}

// Reference values by Simpson's rule in extended precision, to all digits given; the values in the paper have fewer
// digits.
TEST(StationaryDensity, ReproducesTheStatisticsOfTheScalarModel) {
  const Description guess = scalar_at_the_initial_guess();
  EXPECT_NEAR(moment(guess, x_itself), 1.358443, 1e-6);
  EXPECT_NEAR(moment(guess, x_squared), 2.377039, 1e-6);
  EXPECT_NEAR(below(guess, 2.5), 0.973246196, 1e-9);
  EXPECT_NEAR(slope(guess, "c", [](const auto& d) { return below(d, 2.5); }), 0.809757744, 1e-6);
}

TEST(StationaryDensity, ReproducesTheResponsesOfTheScalarModel) {
  const Description guess = scalar_at_the_initial_guess();
  const struct {
    const char* parameter;
    double mean, square;
  } table[] = {{"F0", 1.476892, 2.748990},
               {"a", 1.374495, 4.270337},
               {"b", 2.772319, 6.312542},
               {"c", -3.467515, -13.756590},
               {"sigma", -0.709439, 0.180486}};
  for (const auto& row : table) {
    EXPECT_NEAR(slope(guess, row.parameter, [](const auto& d) { return moment(d, x_itself); }), row.mean, 2e-6);
    EXPECT_NEAR(slope(guess, row.parameter, [](const auto& d) { return moment(d, x_squared); }), row.square, 4e-6);
  }
}

TEST(StationaryDensity, ReproducesTheResponsesOfTheQuarticModel) {
  const auto mean = [](const Description& d) { return moment(d, x_itself); };
  const auto square = [](const Description& d) { return moment(d, x_squared); };
  const auto above = [](const Description& d) { return 1 - below(d, 2); };
  // D = 2, so that ∂log ρ/∂α₁ = x and ∂log ρ/∂α₄ = x⁴/4: covariances with these, by Simpson's rule.
  EXPECT_NEAR(slope(symbolic::quartic(), "alpha1", mean), 1.041797296, 1e-7);
  EXPECT_NEAR(slope(symbolic::quartic(), "alpha4", square), 0.760012571, 1e-7);
  EXPECT_NEAR(slope(symbolic::quartic(), "beta2", mean), -0.688956, 1e-5);
  EXPECT_NEAR(slope(symbolic::quartic(), "beta1", square), 0.281785, 1e-5);
  EXPECT_NEAR(slope(symbolic::quartic(), "beta2", above), 0.015861, 1e-5);
}

Description starting_at(Description description, double mean, double std) {
  description.initial = {{"x", {mean, std}}};
  return description;
}

TEST(StationaryDensity, DoesNotDependOnTheInitialState) {
  const double expected = moment(symbolic::quartic(), x_squared);
  EXPECT_NEAR(moment(starting_at(symbolic::quartic(), 0.3, 1e-4), x_squared), expected, 1e-11);
  EXPECT_NEAR(moment(starting_at(symbolic::quartic(), -300, 1), x_squared), expected, 1e-9);
  EXPECT_NEAR(moment(starting_at(symbolic::quartic(), 1, 0), x_squared), expected, 1e-11);
  EXPECT_NEAR(moment(starting_at(symbolic::quartic(), 0, 1e5), x_squared), expected, 1e-9);
}

TEST(StationaryDensity, FindsAWellBehindABarrier) {
  // log ρ = −100 (x² − 1)²: the density at the barrier is e⁻¹⁰⁰ of its maximum.
  Description description;
  description.state("x", "-200*x*(x^2 - 1)", "1");
  for (const double start : {-1.0, 1.0}) {
    const StationaryDensity density(build(starting_at(description, start, 0.1)));
    EXPECT_NEAR(density.mean(x_itself), 0, 1e-9) << start;
    EXPECT_NEAR(density.cumulative(0), 0.5, 1e-9);
  }
}

TEST(StationaryDensity, KeepsItsPrecisionOnAnyScale) {
  for (const double scale : {1e-8, 1e8}) {
    Description description;
    description.parameter("scale", scale).state("x", "-(x - 5*scale)", "sqrt(2)*scale");
    const StationaryDensity density(build(description));
    EXPECT_NEAR(density.mean(x_itself) / scale, 5, 1e-11);
    EXPECT_NEAR(density.cumulative(6 * scale), std::erfc(-1 / std::numbers::sqrt2) / 2, 1e-11);
  }
  Description far;
  far.state("x", "-(x - 1e6)", "sqrt(2)");
  EXPECT_NEAR(moment(starting_at(far, 1e6, 1), x_itself), 1e6, 1e-6);
}

TEST(StationaryDensity, FollowsHeavyTails) {
  // dx = −x dt + √(1 + x²) dW: ρ = 2/π (1 + x²)⁻².
  Description description;
  description.state("x", "-x", "sqrt(1 + x^2)");
  const StationaryDensity density(build(description));
  EXPECT_NEAR(density.density(0), 2 / std::numbers::pi, 1e-11);
  EXPECT_NEAR(density.density(3), 2 / std::numbers::pi / 100, 1e-12);
  EXPECT_NEAR(density.mean(x_squared), 1, 1e-9);
}

TEST(StationaryDensity, FollowsKinks) {
  // Laplace distribution: ρ = e^{−2|x|}.
  Description description;
  description.state("x", "-x/abs(x)", "1");
  const StationaryDensity density(build(starting_at(description, 0.3, 1)));
  EXPECT_NEAR(density.mean(x_squared), 0.5, 1e-9);
  EXPECT_NEAR(density.cumulative(1), 1 - std::exp(-2.0) / 2, 1e-9);
}

TEST(StationaryDensity, EndsWhereTheNoiseVanishes) {
  // Feller's square-root process: ρ is a gamma density, x^{2b−1} e^{−2x}, with mean b and variance b/2.
  for (const double b : {1.0, 3.0}) {
    Description description;
    description.parameter("b", b).state("x", "b - x", "sqrt(x)");
    const StationaryDensity density(build(starting_at(description, 3, 1)));
    EXPECT_NEAR(density.lower(), 0, 1e-9);
    EXPECT_NEAR(density.mean(x_itself), b, 1e-10);
    EXPECT_NEAR(density.mean(x_squared), b * b + b / 2, 1e-9);
  }
}

TEST(StationaryDensity, RejectsProcessesThatDoNotReturn) {
  const auto refusal = [](const char* drift, const char* noise) {
    Description description;
    description.state("x", drift, noise);
    return complaint([&] { StationaryDensity{build(description)}; });
  };
  EXPECT_THAT(refusal("0", "1"), HasSubstr("does not return"));
  EXPECT_THAT(refusal("1", "1"), HasSubstr("towards plus infinity"));
  EXPECT_THAT(refusal("-1 - x*0", "1"), HasSubstr("towards minus infinity"));
  EXPECT_THAT(refusal("x", "1"), HasSubstr("does not return"));
  EXPECT_THAT(refusal("-x/(1 + x^2)/2", "sqrt(2)"), HasSubstr("does not return"));  // ρ ~ 1/√x
}

TEST(StationaryDensity, RejectsNoiseThatVanishesInsideTheDomain) {
  Description passing;  // s = −2x has no pole at 0, but the process cannot cross it
  passing.state("x", "x - x^3", "x");
  EXPECT_THAT(complaint([&] { StationaryDensity{build(starting_at(passing, 1, 0.3))}; }),
              AllOf(HasSubstr("vanishes"), HasSubstr("'x'")));
  EXPECT_THAT(complaint([&] { StationaryDensity{build(starting_at(passing, 0, 1))}; }), HasSubstr("vanishes"));
  Description piling;  // ρ = x^{−1/2} e^{−2x}
  piling.state("x", "0.25 - x", "sqrt(x)");
  EXPECT_THAT(complaint([&] { StationaryDensity{build(starting_at(piling, 1, 1))}; }), HasSubstr("vanishes"));
}

}  // namespace
}  // namespace gfdt::score

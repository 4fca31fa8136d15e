#include "gfdt/jacobian/likelihood_ratio/likelihood_ratio.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"
#include "gfdt/statistics/distribution.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "multiplicative_model.hpp"

namespace gfdt::jacobian {
namespace {

using simulate::Scheme;
using symbolic::Description;
using testing::HasSubstr;

/// Bounds are this many standard errors wide: a false alarm in 150 000 entries.
constexpr double errors = 4.5;

symbolic::Model ornstein_uhlenbeck(double alpha = 1.3, double beta = 0.9) {
  return symbolic::build(Description()
                             .parameter("alpha", alpha)
                             .parameter("beta", beta)
                             .parameter("idle", 2)
                             .state("x", "-alpha*x", "beta")
                             .observable("variance", "x^2")
                             .observable("scaled", "alpha*x^2"));
}

simulate::Options run_of(int members, double length, std::uint64_t seed, Scheme scheme = Scheme::weak2,
                         double dt = 0.02) {
  simulate::Options options;
  options.members = members;
  options.length = length;
  options.burn_in = 20;
  options.scheme = scheme;
  options.dt = dt;
  options.seed = seed;
  options.backend = codegen::Backend::interpreter;
  return options;
}

Jacobian jacobian_of(const symbolic::Model& model, const simulate::Options& options) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  Jacobian jacobian = likelihood_ratio_jacobian({model, options, names}).jacobian;
  EXPECT_TRUE(jacobian.usable());
  return jacobian;
}

void expect_near(const Jacobian& jacobian, std::size_t m, std::size_t j, double exact, double bias = 0) {
  const std::size_t at = jacobian.at(m, j);
  EXPECT_NEAR(jacobian.value[at], exact, errors * jacobian.standard_error[at] + bias)
      << jacobian.statistics[m].name << " by " << jacobian.columns[j].parameter;
}

TEST(LikelihoodRatio, OfOrnsteinUhlenbeckIsExactWithinErrors) {
  const Jacobian jacobian = jacobian_of(ornstein_uhlenbeck(), run_of(64, 200, 5));
  const double a = 1.3, b = 0.9;
  expect_near(jacobian, 0, 0, -b * b / (2 * a * a));
  expect_near(jacobian, 0, 1, b / a);
  expect_near(jacobian, 1, 0, 0);  // α<x²> is β²/2 whatever α is: the direct term and the response cancel
  EXPECT_LT(jacobian.standard_error[0], 0.1 * b * b / (2 * a * a));
  EXPECT_EQ(jacobian.value[jacobian.at(0, 2)], 0);
  EXPECT_THAT(jacobian.columns[2].remark, HasSubstr("exactly zero"));
  EXPECT_EQ(jacobian.columns[0].method.text(), "likelihood-ratio");
}

/// At a large time step weights must be those of the scheme: it is the chain's own derivative that they give. Left
/// points would be off by 20 % with Runge–Kutta.
TEST(LikelihoodRatio, IsThatOfTheSchemeAtLargeTimeSteps) {
  const double dt = 0.2;
  const auto slope = [&](auto variance) { return (variance(1 + 1e-4) - variance(1 - 1e-4)) / 2e-4; };
  const auto euler = [&](double a) { return dt / (1 - std::pow(1 - a * dt, 2)); };
  const auto runge_kutta = [&](double a) { return dt / (1 - std::exp(-2 * a * dt)); };
  const auto heun = [&](double a) {
    const double ratio = 1 - a * dt + a * a * dt * dt / 2;
    return dt * std::pow(1 - a * dt / 2, 2) / (1 - ratio * ratio);
  };
  const auto run = [&](Scheme scheme) {
    return jacobian_of(ornstein_uhlenbeck(1, 1), run_of(256, 1500, 3, scheme, dt));
  };
  expect_near(run(Scheme::euler_maruyama), 0, 0, slope(euler));
  expect_near(run(Scheme::rk4), 0, 0, slope(runge_kutta), 0.5 * dt * dt / 2);
  expect_near(run(Scheme::weak2), 0, 0, slope(heun), 0.5 * dt * dt / 2);
}

TEST(LikelihoodRatio, HoldsForNoiseThatDependsOnTheState) {
  const symbolic::Model model = multiplicative();
  const std::vector<double> exact = score::stationary_jacobian(model);
  for (const Scheme scheme : {Scheme::weak2, Scheme::euler_maruyama}) {
    const Jacobian jacobian = jacobian_of(model, run_of(64, 300, 8, scheme, scheme == Scheme::weak2 ? 0.05 : 0.01));
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t j = 0; j < 2; ++j)
        expect_near(jacobian, m, j, exact[m * 3 + j], 0.005 * std::abs(exact[m * 3 + j]));
      EXPECT_TRUE(std::isnan(jacobian.value[jacobian.at(m, 2)]));
    }
    EXPECT_THAT(jacobian.columns[2].remark, HasSubstr("q changes the noise"));
  }
}

TEST(LikelihoodRatio, HoldsForCorrelatedNoiseAndItsOverallAmplitude) {
  Description description;
  description.parameter("a", 1).parameter("k", 0.5).parameter("s", 0.8).parameter("r", 0.6);
  description.state("x", "-a*x").state("y", "-1.2*y + k*x");
  description.diffusion.push_back({"x", {{"w1", "s"}}});
  description.diffusion.push_back({"y", {{"w1", "0.5*s"}, {"w2", "s"}}});
  description.observable("xx", "x^2").observable("xy", "x*y").observable("yy", "y^2");
  const symbolic::Model model = symbolic::build(description);
  // Lyapunov's equation, entry by entry.
  const auto covariance = [](double a, double k, double s) {
    const double xx = s * s / (2 * a), xy = (k * xx + 0.5 * s * s) / (a + 1.2);
    return std::vector<double>{xx, xy, (2 * k * xy + 1.25 * s * s) / 2.4};
  };
  const double h = 1e-5, theta[] = {1, 0.5, 0.8};
  const Jacobian jacobian = jacobian_of(model, run_of(64, 300, 4));
  for (std::size_t j = 0; j < 3; ++j) {
    double up[] = {theta[0], theta[1], theta[2]}, down[] = {theta[0], theta[1], theta[2]};
    up[j] += h;
    down[j] -= h;
    const auto above = covariance(up[0], up[1], up[2]), below = covariance(down[0], down[1], down[2]);
    for (std::size_t m = 0; m < 3; ++m) expect_near(jacobian, m, j, (above[m] - below[m]) / (2 * h));
  }
}

/// Stretching the states takes most of the direction of the drift away from the amplitude of additive noise.
TEST(LikelihoodRatio, OfAnAmplitudeIsThatOfStretchedStates) {
  const symbolic::Model model = symbolic::build(Description()
                                                    .parameter("s", 0.9)
                                                    .state("x", "0.3 + x - 0.4*x^2 - x^3", "s")
                                                    .observable("mean", "x")
                                                    .observable("second", "x^2")
                                                    .observable("high", "x > 1"));
  const std::vector<double> exact = score::stationary_jacobian(model);
  const GfdtJacobian both = likelihood_ratio_jacobian({model, run_of(128, 400, 7), {"s"}});
  const Jacobian& jacobian = both.jacobian;
  for (std::size_t m = 0; m < 3; ++m) expect_near(jacobian, m, 0, exact[m], 0.005 * std::abs(exact[m]));
  EXPECT_LT(jacobian.standard_error[1], 0.1 * exact[1]);
  EXPECT_TRUE(both.steps.of_entry[0].empty());  // only the long run is that of the amplitude
}

/// Also of a parameter that is in the drift as well, and of noise that depends on the state.
TEST(LikelihoodRatio, OfAnAmplitudeThatIsElsewhereToo) {
  for (const char* noise : {"s", "s*sqrt(0.5 + 0.3*x^2)"}) {
    const symbolic::Model model = symbolic::build(Description()
                                                      .parameter("s", 0.9)
                                                      .state("x", "0.3 - s*x - x^3", noise)
                                                      .observable("mean", "x")
                                                      .observable("second", "x^2"));
    const std::vector<double> exact = score::stationary_jacobian(model);
    const Jacobian jacobian = jacobian_of(model, run_of(128, 400, 7));
    for (std::size_t m = 0; m < 2; ++m) expect_near(jacobian, m, 0, exact[m], 0.005 * std::abs(exact[m]));
    EXPECT_LT(jacobian.standard_error[1], 0.15 * std::abs(exact[1]));
  }
}

TEST(LikelihoodRatio, HoldsWithMoreNoisesThanStatesAndWithFewer) {
  Description many;
  many.parameter("a", 1).state("x", "-a*x");
  many.diffusion.push_back({"x", {{"w1", "0.6"}, {"w2", "0.8"}}});
  expect_near(jacobian_of(symbolic::build(many.observable("xx", "x^2")), run_of(64, 200, 6)), 0, 0, -0.5);

  Description few;
  few.parameter("m", 0.3).parameter("a", 1).state("x", "m - a*x").state("y", "2*m - 0.5*y");
  few.diffusion.push_back({"x", {{"w", "0.7"}}});
  few.diffusion.push_back({"y", {{"w", "1.4"}}});
  const Jacobian jacobian =
      jacobian_of(symbolic::build(few.observable("mean_x", "x").observable("mean_y", "y")), run_of(64, 200, 6));
  expect_near(jacobian, 0, 0, 1);
  expect_near(jacobian, 1, 0, 4);
  EXPECT_THAT(jacobian.columns[1].remark, HasSubstr("one noise of 'x', 'y'"));
}

TEST(LikelihoodRatio, HoldsOnALattice) {
  const int sites = 8;
  const double a = 1, c = 0.6, s = 0.7;
  const symbolic::Model model = symbolic::build(Description()
                                                    .index("k", sites)
                                                    .parameter("a", a)
                                                    .parameter("c", c)
                                                    .parameter("s", s)
                                                    .state("X[k]", "-a*X[k] + c*(X[k+1] + X[k-1] - 2*X[k])", "s")
                                                    .observable("V", "mean(k, X[k]^2)"));
  double exact[3] = {};
  for (int q = 0; q < sites; ++q) {
    const double laplace = 2 * (1 - std::cos(2 * std::numbers::pi * q / sites)), rate = a + c * laplace;
    exact[0] -= s * s / (2 * rate * rate) / sites;
    exact[1] -= s * s * laplace / (2 * rate * rate) / sites;
    exact[2] += s / rate / sites;
  }
  for (const Scheme scheme : {Scheme::rk4, Scheme::weak2}) {
    const Jacobian jacobian = jacobian_of(model, run_of(64, 100, 2, scheme));
    for (std::size_t j = 0; j < 3; ++j) expect_near(jacobian, 0, j, exact[j], 0.01 * std::abs(exact[j]));
  }
}

TEST(LikelihoodRatio, FunctionsSeeTheStatesOfTheModelAlone) {
  symbolic::Model model = ornstein_uhlenbeck();
  model.observables.push_back({"given", 0.0});
  const simulate::Options options = run_of(32, 60, 9);
  const statistics::ObservedFunctions functions{{"given", [](const double* x, std::size_t count, double* values) {
                                                   for (std::size_t i = 0; i < count; ++i) values[i] = x[i] * x[i];
                                                 }}};
  const Jacobian jacobian = likelihood_ratio_jacobian({model, options, {"beta", "alpha"}, {}, functions}).jacobian;
  EXPECT_NEAR(jacobian.value[jacobian.at(2, 1)], jacobian.value[jacobian.at(0, 1)], 1e-9);
  EXPECT_NEAR(jacobian.standard_error[jacobian.at(2, 1)], jacobian.standard_error[jacobian.at(0, 1)], 1e-9);
  // How a function grows when states are stretched is not known: its derivative by β has more noise.
  expect_near(jacobian, 2, 0, 0.9 / 1.3);
  EXPECT_GT(jacobian.standard_error[jacobian.at(2, 0)], 2 * jacobian.standard_error[jacobian.at(0, 0)]);
  EXPECT_NEAR(jacobian.statistics[2].mean, jacobian.statistics[0].mean, 1e-12);
}

TEST(LikelihoodRatio, DoesNotDependOnTheNumberOfThreadsAndAddsNothingToTheRun) {
  const symbolic::Model model = ornstein_uhlenbeck();
  simulate::Options options = run_of(150, 60, 9);
  options.threads = 1;
  const GfdtJacobian one = likelihood_ratio_jacobian({model, options, {"alpha", "beta"}});
  options.threads = 3;
  const GfdtJacobian three = likelihood_ratio_jacobian({model, options, {"alpha", "beta"}});
  EXPECT_EQ(one.jacobian.value, three.jacobian.value);
  EXPECT_EQ(one.jacobian.standard_error, three.jacobian.standard_error);
  EXPECT_EQ(one.passes, 0);  // after the run for statistics
  EXPECT_LT(one.jacobian.simulated_time, 1.2 * options.members * (options.length + options.burn_in_time()));
  const auto plain = statistics::simulate_statistics(model, options);
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(one.jacobian.statistics[m].mean, plain.observables[m].mean);
}

/// Of 60 intervals at 95 %, 49 or more hold the exact value but for one time in 10⁴.
TEST(LikelihoodRatio, IntervalsHoldTheExactValueAsOftenAsTheySay) {
  const symbolic::Model model = ornstein_uhlenbeck(1, 1);
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Jacobian jacobian =
        likelihood_ratio_jacobian({model, run_of(32, 60, seed, Scheme::weak2, 0.05), {"alpha"}}).jacobian;
    const double half = statistics::student_t_interval(0.95, jacobian.degrees_of_freedom);
    held += std::abs(jacobian.value[0] + 0.5) < half * jacobian.standard_error[0] ? 1 : 0;
  }
  EXPECT_GE(held, 49);
}

TEST(LikelihoodRatio, SaysWhatItCannotDo) {
  const symbolic::Model still = symbolic::build(
      Description().parameter("a", 1).parameter("p", 2).state("x", "-a*x + 1").observable("A", "p*x + a"));
  const Jacobian jacobian = likelihood_ratio_jacobian({still, run_of(16, 60, 1), {"a", "p"}}).jacobian;
  EXPECT_THAT(jacobian.columns[0].remark, HasSubstr("'x' has no noise"));
  EXPECT_TRUE(std::isnan(jacobian.value[0]));
  EXPECT_NEAR(jacobian.value[1], 1, 1e-9);
  const symbolic::Model dying =
      symbolic::build(Description().parameter("m", 0.1).state("x", "m - x", "sqrt(max(x, 0))").observable("A", "x"));
  const Jacobian lost = likelihood_ratio_jacobian({dying, run_of(16, 60, 1, Scheme::euler_maruyama), {"m"}}).jacobian;
  EXPECT_FALSE(lost.usable());
  EXPECT_THAT(lost.diagnostics.back().text, HasSubstr("the amplitude of a noise is zero"));
  EXPECT_THROW(likelihood_ratio_jacobian({still, run_of(16, 60, 1), {"nobody"}}), Error);
  EXPECT_THROW(likelihood_ratio_jacobian({still, run_of(16, 60, 1), {}}), Error);
}

}  // namespace
}  // namespace gfdt::jacobian

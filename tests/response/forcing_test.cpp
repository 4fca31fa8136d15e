#include "gfdt/response/forcing.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::response {
namespace {

using ::testing::HasSubstr;

const Forcing bent({0.5, 1.0, 2.0}, {2.0, 1.0, 3.0});

TEST(Forcing, IsZeroThenPiecewiseLinearThenConstant) {
  EXPECT_EQ(bent.at(0.49), 0);
  EXPECT_EQ(bent.at(0.5), 2);
  EXPECT_DOUBLE_EQ(bent.at(0.75), 1.5);
  EXPECT_DOUBLE_EQ(bent.at(1.25), 1.5);
  EXPECT_EQ(bent.at(7), 3);
}

TEST(Forcing, IsIntegratedExactly) {
  const double h = 1e-4;
  double once = 0, twice = 0;
  for (int i = 0; i < 30000; ++i) {
    const double t = i * h, middle = bent.at(t + h / 2);
    twice += h * (once + h * middle / 2);
    once += h * middle;
    if (i % 3000 != 2999) continue;
    EXPECT_NEAR(bent.integral(t + h), once, 1e-7);
    EXPECT_NEAR(bent.double_integral(t + h), twice, 1e-7);
  }
}

TEST(Forcing, IsAFormulaOfTime) {
  const symbolic::Expression formula = bent.formula(symbolic::Expression::symbol("t"), 1e-6);
  for (const double t : {0.2, 0.5, 0.6, 1.0, 1.7, 2.0, 5.0})
    EXPECT_NEAR(symbolic::evaluate(formula, {[t](const std::string&) { return t; }, {}}), bent.at(t), 1e-12) << t;
}

TEST(Forcing, RejectsInvalidTimesAndValues) {
  const auto message = [](std::vector<double> time, std::vector<double> value) -> std::string {
    try {
      Forcing(std::move(time), std::move(value));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({0, 1}, {1}), HasSubstr("2 times and 1 values"));
  EXPECT_THAT(message({0, 1, 1}, {1, 2, 3}), HasSubstr("do not increase"));
  EXPECT_THAT(message({0, 1}, {1, NAN}), HasSubstr("Point 2"));
  EXPECT_THAT(message({-1, 1}, {1, 2}), HasSubstr("shift its times"));
}

TEST(ForcingWeights, OfAStepAreTheTrapezoidalRule) {
  const jacobian::Weights weights = forcing_weights(Forcing::step(2), 0.3, 0.1, 6);
  const std::vector<double> expected{0.1, 0.2, 0.2, 0.1, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(weights[i], expected[i], 1e-12) << i;
  const jacobian::Weights later = forcing_weights(Forcing::step(2), 30, 0.1, 3);  // the kernel ends at 0.2
  EXPECT_NEAR(later[0], 0.1, 1e-10);
  EXPECT_NEAR(later[1], 0.2, 1e-10);
  EXPECT_NEAR(later[2], 0.1, 1e-10);
}

TEST(ForcingWeights, AreExactForPiecewiseLinearKernels) {
  const std::vector<double> kernel{1.0, -2.0, 0.5, 3.0, 1.0};
  const double interval = 0.4;
  for (const double t : {0.1, 0.6, 1.0, 1.9, 2.6, 9.0}) {
    double expected = 0;
    const double h = 1e-5;
    for (int i = 0; i < 160000; ++i) {
      const double u = (i + 0.5) * h, place = u / interval;
      const std::size_t node = std::min<std::size_t>(3, static_cast<std::size_t>(place));
      const double share = place - static_cast<double>(node);
      expected += h * ((1 - share) * kernel[node] + share * kernel[node + 1]) * bent.at(t - u);
    }
    const jacobian::Weights weights = forcing_weights(bent, t, interval, kernel.size());
    double found = 0;
    for (std::size_t i = 0; i < kernel.size(); ++i) found += weights[i] * kernel[i];
    EXPECT_NEAR(found, expected, 2e-4) << t;
  }
}

/// <x²> has the kernel −(β²/α) e^{−2αt} for α and 2β e^{−2αt} for β; γ occurs only in the observable.
class ForcedOrnsteinUhlenbeck : public ::testing::Test {
 protected:
  static symbolic::Model build() {
    symbolic::Description description;
    description.state("x", "-alpha*x", "beta");
    description.parameter("alpha", 1.0).parameter("beta", 0.8).parameter("gamma", 3.0).observable("A", "gamma*x^2");
    return symbolic::build(description);
  }
  const symbolic::Model model_ = build();
  const simulate::Options run_{
      .dt = 0.01, .members = 128, .length = 400, .cadence = 2, .scheme = simulate::Scheme::weak2, .seed = 5};
  const Forcing ramp_{{0.5, 2.5}, {0.0, 0.1}};

  /// ∫₀ᵗ e^{−2(t−s)} f(s) ds
  double filtered(double t) const {
    double sum = 0;
    const double h = 1e-4;
    for (int i = 0; i < static_cast<int>(std::round(t / h)); ++i)
      sum += h * std::exp(-2 * (t - (i + 0.5) * h)) * ramp_.at((i + 0.5) * h);
    return sum;
  }
};

TEST_F(ForcedOrnsteinUhlenbeck, RespondsToARampAsTheClosedForm) {
  const simulate::ModelSource source(model_, run_);
  const Kernels kernels =
      response_kernels({.model = model_, .source = source, .parameters = {"alpha", "beta", "gamma"}});
  ASSERT_TRUE(kernels.usable());
  const std::vector<double> times{0.2, 1.0, 2.0, 3.0, 5.0, 8.0};
  const std::vector<jacobian::Estimate> alpha = forced_response(kernels, 0, 0, ramp_, times),
                                        beta = forced_response(kernels, 0, 1, ramp_, times),
                                        gamma = forced_response(kernels, 0, 2, ramp_, times);
  EXPECT_EQ(alpha[0].value, 0);
  // 15 values within four standard errors with 31 degrees of freedom: a false-alarm rate below 0.6 %.
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_NEAR(alpha[i].value, -3 * 0.64 * filtered(times[i]), 4 * alpha[i].standard_error) << times[i];
    EXPECT_NEAR(beta[i].value, 3 * 1.6 * filtered(times[i]), 4 * beta[i].standard_error) << times[i];
    EXPECT_NEAR(gamma[i].value, 0.32 * ramp_.at(times[i]), 4 * gamma[i].standard_error) << times[i];
    EXPECT_LT(alpha[i].standard_error, 0.1 * std::abs(alpha[i].value));
  }
}

TEST_F(ForcedOrnsteinUhlenbeck, AgreesWithPerturbedEnsembles) {
  const PerturbedOptions options{.until = 4, .steps = 50, .budget = 2e4};
  simulate::Options run = run_;
  run.burn_in = 6;
  for (const std::string parameter : {"alpha", "beta", "gamma"}) {
    const PerturbedEnsemble found = perturbed_ensemble(model_, run, parameter, ramp_, options);
    EXPECT_EQ(found.members, 2000);
    ASSERT_EQ(found.time.size(), 8u);
    for (std::size_t i = 0; i < found.time.size(); ++i) {
      const double t = found.time[i], kernel = parameter == "alpha" ? -3 * 0.64 : 3 * 1.6;
      const double expected = parameter == "gamma" ? 0.32 * ramp_.at(t) : kernel * filtered(t);
      const jacobian::Estimate& response = found.of_observable[0][i];
      // 24 values: a false-alarm rate below 0.2 %. The additional term allows for the size of the change and the time
      // step.
      EXPECT_NEAR(response.value, expected, 4 * response.standard_error + 0.01 * std::abs(expected)) << parameter << t;
      EXPECT_LT(response.standard_error, t > 1 ? 0.1 * std::abs(expected) : 0.01);
    }
  }
}

TEST_F(ForcedOrnsteinUhlenbeck, StepForcingsStartAfterTheBurnIn) {
  simulate::Options run{.dt = 0.1, .members = 4, .length = 1, .burn_in = 0.7, .seed = 1};
  symbolic::Description description;
  description.state("y", "c").parameter("c", 0.0).observable("A", "y");
  const PerturbedEnsemble found = perturbed_ensemble(symbolic::build(description), run, "c", Forcing::step(1),
                                                     {.until = 1, .steps = 1, .budget = 1});
  ASSERT_EQ(found.time.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(found.of_observable[0][i].value, found.time[i], 1e-12);
}

}  // namespace
}  // namespace gfdt::response

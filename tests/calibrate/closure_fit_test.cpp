#include "gfdt/calibrate/closure_fit.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "../simulate/recorder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::calibrate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two uncoupled sites, each a linear system of X and the sum S of three Y:
///
///     dX = (F − X − S) dt + σ_x dW        dS = (−4 S + 3 X) dt + √3 σ_y dW
constexpr double forcing = 1, sigma_x = 0.8, sigma_y = 0.6;

symbolic::Description two_scale() {
  symbolic::Description description;
  description.index("k", 2).index("j", 3).parameter("F", forcing).parameter("sx", sigma_x).parameter("sy", sigma_y);
  description.state("X[k]", "F - X[k] - sum(j, Y[j,k])", "sx").state("Y[j,k]", "-4*Y[j,k] + X[k]", "sy");
  description.observable("m", "mean(k, X[k])").observable("q", "mean(k, X[k]^2)");
  return description;
}

/// The exact results from the Lyapunov equation of (X, S): variances P and R, covariance Q.
struct Exact {
  double mean, P, Q, R;

  Exact() {
    const double h = 1, g = 3, c = 4, dx = sigma_x * sigma_x, ds = 3 * sigma_y * sigma_y;
    mean = forcing / (1 + h * g / c);
    Q = (g * dx / 2 - h * ds / (2 * c)) / (g * h + 1 + c + h * g / c);
    P = dx / 2 - h * Q;
    R = (ds / 2 + g * Q) / c;
  }
  double slope() const { return Q / P; }
  double intercept() const { return 3 * mean / 4 - slope() * mean; }
  /// ∫ C by trapezoids to the first lag at which the autocovariance of S − slope·X is not positive, and that lag.
  std::pair<double, double> integral(double interval) const {
    double x = Q - slope() * P, s = R - slope() * Q;  // e^{At} applied to the covariance with the residual
    const auto residual = [&] { return s - slope() * x; };
    double sum = 0, lag = 0;
    while (residual() > 0) {
      sum += interval / 2 * residual();
      constexpr int steps = 1000;
      for (int i = 0; i < steps; ++i) {
        const double dt = interval / steps, xm = x + dt / 2 * (-x - s), sm = s + dt / 2 * (3 * x - 4 * s);
        x += dt * (-xm - sm);
        s += dt * (3 * xm - 4 * sm);
      }
      sum += interval / 2 * residual();
      lag += interval;
    }
    return {sum, lag};
  }
};

simulate::Options long_run() {
  simulate::Options options;
  options.dt = 0.02;
  options.scheme = simulate::Scheme::weak2;
  options.members = 256;
  options.length = 200;
  options.burn_in = 10;
  options.cadence = 5;
  options.seed = 5;
  options.backend = codegen::Backend::interpreter;
  return options;
}

TEST(UnresolvedTendency, IsMinusTheTermsWithOtherStates) {
  const symbolic::Model model = symbolic::build(two_scale());
  EXPECT_EQ(symbolic::to_string(unresolved_tendency(model, "X")), "sum(j, Y[j,k])");
  EXPECT_THROW(unresolved_tendency(model, "Z"), Error);
  symbolic::Description product;
  product.state("x", "-x*(1 - 2*y)").state("y", "-y");
  EXPECT_EQ(symbolic::to_string(unresolved_tendency(symbolic::build(product), "x")), "-2*x*y");
  EXPECT_THROW(unresolved_tendency(symbolic::build(product), "y"), Error);
}

// Bounds of 4 standard errors: a false-alarm rate of 6e-5 each.
TEST(ClosureFit, IsExactForALinearSystem) {
  const symbolic::Model model = symbolic::build(two_scale());
  const ClosureFit fit =
      fit_closure(model, {.state = "X", .degree = 1, .longest_lag = 4, .lag_cadence = 2}, long_run());
  ASSERT_TRUE(fit.usable());
  const Exact exact;
  const double error0 = std::sqrt(fit.coefficient_covariance[0]), error1 = std::sqrt(fit.coefficient_covariance[3]);
  EXPECT_LT(error1, 0.02 * exact.slope());
  EXPECT_NEAR(fit.coefficients[0], exact.intercept(), 4 * error0);
  EXPECT_NEAR(fit.coefficients[1], exact.slope(), 4 * error1);
  EXPECT_DOUBLE_EQ(fit.own_noise, sigma_x);
  const auto [integral, lag] = exact.integral(0.04);
  const double sigma = std::sqrt(sigma_x * sigma_x + 2 * integral);
  EXPECT_LT(fit.sigma_error, 0.01 * sigma);
  EXPECT_NEAR(fit.sigma, sigma, 4 * fit.sigma_error);
  EXPECT_NEAR(fit.first_zero, lag, 0.15 * lag);
  EXPECT_NEAR(fit.residual.value[0], exact.R - exact.slope() * exact.Q, 4 * fit.residual.standard_error[0]);
  EXPECT_THAT(fit.guess(), ElementsAre(fit.coefficients[0], fit.coefficients[1], fit.sigma));

  EXPECT_THAT(fit.targets.observables, ElementsAre("m", "q"));
  EXPECT_EQ(fit.targets.problem(), "");
  EXPECT_NEAR(fit.targets.value[0], exact.mean, 4 * fit.targets.standard_error(0));
  EXPECT_NEAR(fit.targets.value[1], exact.P + exact.mean * exact.mean, 4 * fit.targets.standard_error(1));
}

TEST(ClosureFit, OfAHigherDegreeHasNoSpuriousTerms) {
  const ClosureFit fit = fit_closure(symbolic::build(two_scale()), {.state = "X"}, long_run());
  const Exact exact;
  ASSERT_EQ(fit.coefficients.size(), 4U);
  const std::vector<double> expected{exact.intercept(), exact.slope(), 0, 0};
  for (std::size_t n = 0; n < 4; ++n)
    EXPECT_NEAR(fit.coefficients[n], expected[n], 4 * std::sqrt(fit.coefficient_covariance[n * 5])) << n;
}

// Compares the slope of R = F − X − (X(t+Δt) − X(t−Δt))/2Δt on X, computed per member, with the fit from moments of U
// and X.
TEST(ClosureFit, PredictsTheFitFromCentredDifferences) {
  const symbolic::Model model = symbolic::build(two_scale());
  const ClosureFit fit = fit_closure(model, {.state = "X", .degree = 1}, long_run());
  const Exact exact;
  simulate::Options options = long_run();
  options.length = 25;
  options.cadence = 1;
  simulate::Recorder recorder;
  simulate::Sink* const sinks[] = {&recorder};
  simulate::run(model, options, sinks);
  std::vector<double> products;
  for (std::size_t member = 0; member < recorder.members(); ++member) {
    double sum = 0;
    for (std::size_t n = 1; n + 1 < recorder.samples(); ++n) {
      const double x = recorder.at(member, n, 0);
      const double slope = (recorder.at(member, n + 1, 0) - recorder.at(member, n - 1, 0)) / (2 * options.dt);
      sum += (forcing - x - slope - 3 * exact.mean / 4) * (x - exact.mean);
    }
    products.push_back(sum / static_cast<double>(recorder.samples() - 2));
  }
  const auto count = static_cast<double>(products.size());
  double mean = 0, squares = 0;
  for (const double product : products) mean += product / count;
  for (const double product : products) squares += (product - mean) * (product - mean);
  const double error = std::sqrt(squares / count / (count - 1)) / exact.P;
  // 4 standard errors, to which the long run contributes little; the slope of U itself is far outside this bound.
  EXPECT_NEAR(fit.centred[1], mean / exact.P, 4 * error);
  EXPECT_GT(fit.coefficients[1] - fit.centred[1], 20 * error);
}

TEST(ClosureFit, OfAPolynomialIsExact) {
  symbolic::Description description;
  description.state("x", "2 - x - y*(-0.2 + 0.5*x - 0.3*x^2 + 0.1*x^3)", "0.5").state("y", "0");
  description.initial = {{"x", {0.7, 0.3}}, {"y", {1, 0}}};
  simulate::Options options = long_run();
  options.members = 16;
  options.length = 40;
  const ClosureFit fit = fit_closure(symbolic::build(description), {.state = "x"}, options);
  EXPECT_NEAR(fit.coefficients[0], -0.2, 1e-9);
  EXPECT_NEAR(fit.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(fit.coefficients[2], -0.3, 1e-9);
  EXPECT_NEAR(fit.coefficients[3], 0.1, 1e-9);
  EXPECT_NEAR(fit.sigma, 0.5, 1e-9);
}

TEST(ClosureFit, DoesNotDependOnThreadsAndPrecision) {
  const symbolic::Model model = symbolic::build(two_scale());
  simulate::Options options = long_run();
  options.length = 20;
  options.threads = 1;
  const ClosureFit one = fit_closure(model, {.state = "X"}, options);
  options.threads = 3;
  const ClosureFit three = fit_closure(model, {.state = "X"}, options);
  EXPECT_EQ(one.guess(), three.guess());
  EXPECT_EQ(one.targets.covariance, three.targets.covariance);
  options.precision = simulate::Precision::single_precision;
  const ClosureFit single = fit_closure(model, {.state = "X"}, options);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(one.guess()[i], single.guess()[i], 1e-4);
}

TEST(ClosureFit, RejectsInvalidOptionsAndNoise) {
  symbolic::Description description = two_scale();
  EXPECT_THROW(fit_closure(symbolic::build(description), {.state = "X", .degree = -1}, long_run()), Error);
  EXPECT_THROW(fit_closure(symbolic::build(description), {.state = "X", .longest_lag = 1e-3}, long_run()), Error);
  EXPECT_THROW(fit_closure(symbolic::build(description), {.state = "X", .longest_lag = 1e3}, long_run()), Error);
  description.diffusion[0].terms[0].formula = "sx*X[k]";
  try {
    fit_closure(symbolic::build(description), {.state = "X"}, long_run());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("additive"));
  }
}

TEST(ClosureFit, WarnsIfTheMemoryIsLongerThanTheLags) {
  simulate::Options options = long_run();
  options.length = 20;
  const ClosureFit fit = fit_closure(symbolic::build(two_scale()), {.state = "X", .longest_lag = 0.08}, options);
  EXPECT_THAT(fit.remarks, ElementsAre(HasSubstr("longest lag")));
  EXPECT_DOUBLE_EQ(fit.first_zero, 0.08);
}

}  // namespace
}  // namespace gfdt::calibrate

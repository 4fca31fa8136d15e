#include "gfdt/response/two_time.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::response {
namespace {

using ::testing::HasSubstr;

constexpr double alpha = 0.8, beta = 0.7, c = 1.2, omega = 2.5, start = 1.5, spread_at_start = 0.6;

/// dx = (−αx + c cos ωt) dt + β dW, starting from N(1.5, 0.6²): Gaussian at all times.
symbolic::Model forced_linear(double initial_std = spread_at_start) {
  symbolic::Description description;
  description.state("x", "-alpha*x + c*cos(omega*t)", "beta");
  description.parameter("alpha", alpha).parameter("c", c).parameter("beta", beta).parameter("omega", omega);
  description.parameter("k", 2.0);
  description.observable("m", "x").observable("square", "x^2").observable("scaled", "k*x");
  description.initial.push_back({"x", {start, initial_std}});
  description.time = true;
  return symbolic::build(description);
}

/// Mean μ and variance V, and their derivatives with respect to α, c and β for a change f(t) of one of them:
///   μ' = −αμ + c cos ωt,  V' = −2αV + β²
///   ∂μ/∂α' = −α ∂μ/∂α − μ f,  ∂V/∂α' = −2α ∂V/∂α − 2V f,  ∂μ/∂c' = −α ∂μ/∂c + f cos ωt,  ∂V/∂β' = −2α ∂V/∂β + 2β f
struct Moments {
  double mean, variance, mean_alpha, variance_alpha, mean_c, variance_beta;
};

Moments moments_at(double end, const Forcing& forcing, double initial_std = spread_at_start) {
  using Y = std::array<double, 6>;
  const auto rate = [&](double t, const Y& y) -> Y {
    const double f = forcing.at(t);
    return {-alpha * y[0] + c * std::cos(omega * t),
            -2 * alpha * y[1] + beta * beta,
            -alpha * y[2] - y[0] * f,
            -2 * alpha * y[3] - 2 * y[1] * f,
            -alpha * y[4] + f * std::cos(omega * t),
            -2 * alpha * y[5] + 2 * beta * f};
  };
  Y y{start, initial_std * initial_std, 0, 0, 0, 0};
  const int steps = 4000;
  const double h = end / steps;
  const auto moved = [](const Y& from, double by, const Y& along) {
    Y result = from;
    for (std::size_t i = 0; i < 6; ++i) result[i] += by * along[i];
    return result;
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Y k1 = rate(t, y), k2 = rate(t + h / 2, moved(y, h / 2, k1)), k3 = rate(t + h / 2, moved(y, h / 2, k2)),
            k4 = rate(t + h, moved(y, h, k3));
    for (std::size_t j = 0; j < 6; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return {y[0], y[1], y[2], y[3], y[4], y[5]};
}

simulate::Options ensemble() {
  return {.dt = 0.01, .members = 6000, .length = 3.2, .scheme = simulate::Scheme::weak2, .seed = 11};
}

const std::vector<std::string> parameters{"alpha", "c", "beta", "k"};

void expect_response(const jacobian::Estimate& found, double expected, const std::string& what) {
  // The additional term allows for the error of the trapezoidal rule between times.
  EXPECT_NEAR(found.value, expected, 4 * found.standard_error + 0.003 * std::abs(expected)) << what;
}

// Each test compares about 60 correlated values with four standard errors with 19 degrees of freedom (8e-4 each): a
// false-alarm rate below 5 %.
class TwoTime : public ::testing::Test {
 protected:
  static const TwoTimeKernels& linear() {
    static const symbolic::Model model = forced_linear();
    static const TwoTimeKernels kernels =
        two_time_kernels({.model = model, .simulation = ensemble(), .parameters = parameters});
    return kernels;
  }

  void compare(const TwoTimeKernels& kernels, const Forcing& forcing, double initial_std) {
    const auto response = [&](std::size_t m, std::size_t j) { return kernels.forced_response(m, j, forcing); };
    const std::vector<jacobian::Estimate> mean_alpha = response(0, 0), mean_c = response(0, 1),
                                          mean_beta = response(0, 2), square_alpha = response(1, 0),
                                          square_c = response(1, 1), square_beta = response(1, 2),
                                          scaled_c = response(2, 1), scaled_k = response(2, 3);
    for (std::size_t i = 8; i < kernels.time.size(); i += 8) {
      const Moments at = moments_at(kernels.time[i], forcing, initial_std);
      const std::string when = " at " + std::to_string(kernels.time[i]);
      expect_response(mean_alpha[i], at.mean_alpha, "<x> by alpha" + when);
      expect_response(mean_c[i], at.mean_c, "<x> by c" + when);
      EXPECT_NEAR(mean_beta[i].value, 0, 4 * mean_beta[i].standard_error) << when;
      expect_response(square_alpha[i], at.variance_alpha + 2 * at.mean * at.mean_alpha, "<x²> by alpha" + when);
      expect_response(square_c[i], 2 * at.mean * at.mean_c, "<x²> by c" + when);
      expect_response(square_beta[i], at.variance_beta, "<x²> by beta" + when);
      expect_response(scaled_c[i], 2 * at.mean_c, "k<x> by c" + when);
      expect_response(scaled_k[i], forcing.at(kernels.time[i]) * at.mean, "k<x> by k" + when);
    }
  }
};

TEST_F(TwoTime, RespondsToAStepAsTheClosedForm) {
  const TwoTimeKernels& kernels = linear();
  ASSERT_TRUE(kernels.usable());
  EXPECT_TRUE(kernels.diagnostics.empty());
  EXPECT_EQ(kernels.score, "gaussian");
  ASSERT_EQ(kernels.time.size(), 65u);
  EXPECT_NEAR(kernels.time.back(), 3.2, 1e-9);
  EXPECT_NEAR(kernels.mean[0][0].value, start, 4 * kernels.mean[0][0].standard_error);
  compare(kernels, Forcing::step(1), spread_at_start);
  const std::vector<jacobian::Estimate> by_c = kernels.forced_response(0, 1, Forcing::step(1));
  EXPECT_EQ(by_c[0].value, 0);
  EXPECT_LT(by_c.back().standard_error, 0.05 * std::abs(by_c.back().value));
}

TEST_F(TwoTime, RespondsToASeriesAsTheClosedForm) {
  const TwoTimeKernels& kernels = linear();
  compare(kernels, Forcing({0.33, 1.0, 2.0}, {0.5, -0.4, 0.2}), spread_at_start);
}

TEST_F(TwoTime, HasTheKernelOfALinearModel) {
  const TwoTimeKernels& kernels = linear();
  for (std::size_t t = 0; t < 65; t += 16)
    for (std::size_t s = 0; s <= t; s += 8) {
      const double expected =
          std::exp(-alpha * (kernels.time[t] - kernels.time[s])) * std::cos(omega * kernels.time[s]);
      const jacobian::Estimate found = kernels.kernel(0, 1, t, s);
      EXPECT_NEAR(found.value, expected, 4 * found.standard_error + 0.002) << t << " " << s;
    }
}

TEST_F(TwoTime, StartsWithoutSpread) {
  const symbolic::Model model = forced_linear(0);
  const TwoTimeKernels kernels =
      two_time_kernels({.model = model, .simulation = ensemble(), .parameters = parameters, .times = 128});
  ASSERT_TRUE(kernels.usable());
  EXPECT_EQ(kernels.first_known, 1u);
  EXPECT_TRUE(std::isnan(kernels.kernel(0, 0, 3, 0).value));
  const std::vector<jacobian::Estimate> by_c = kernels.forced_response(0, 1, Forcing::step(1));
  for (std::size_t i = 16; i < kernels.time.size(); i += 16) {
    const Moments at = moments_at(kernels.time[i], Forcing::step(1), 0);
    EXPECT_NEAR(by_c[i].value, at.mean_c, 4 * by_c[i].standard_error + 0.005) << kernels.time[i];
  }
}

TEST_F(TwoTime, AgreesWithAPerturbedEnsembleOfANonlinearModel) {
  // Starts in one well of a double well that is tilted in time: far from Gaussian, so the score must be learned.
  symbolic::Description description;
  description.state("x", "x - x^3 + c*sin(t)", "0.7")
      .parameter("c", 0.3)
      .observable("m", "x")
      .observable("left", "x < 0");
  description.initial.push_back({"x", {0.5, 0.5}});
  description.time = true;
  const symbolic::Model model = symbolic::build(description);
  simulate::Options run = ensemble();
  run.members = 20000;
  run.length = 4;
  run.dt = 0.02;
  const TwoTimeKernels closure =
      two_time_kernels({.model = model, .simulation = run, .parameters = {"c"}, .times = 16});
  ASSERT_EQ(closure.diagnostics.size(), 1u);
  EXPECT_THAT(closure.diagnostics[0].text, HasSubstr("quasi-Gaussian"));
  const TwoTimeKernels learned = two_time_kernels({.model = model,
                                                   .simulation = run,
                                                   .parameters = {"c"},
                                                   .score = {.method = score::Method::kgmm, .epochs = 20},
                                                   .times = 16});
  EXPECT_TRUE(learned.diagnostics.empty());
  const std::vector<jacobian::Estimate> response = learned.forced_response(0, 0, Forcing::step(0.1)),
                                        gaussian = closure.forced_response(0, 0, Forcing::step(0.1));
  const PerturbedEnsemble check =
      perturbed_ensemble(model, run, "c", Forcing::step(0.1), {.until = 4, .steps = 200, .budget = 8e4});
  const jacobian::Estimate& truth = check.of_observable[0].back();
  const double error = std::hypot(truth.standard_error, response.back().standard_error);
  EXPECT_NEAR(response.back().value, truth.value, 4 * error + 0.03 * truth.value);
  EXPECT_GT(std::abs(gaussian.back().value - truth.value), 2 * error);
}

TEST_F(TwoTime, RejectsInvalidOptions) {
  const symbolic::Model model = forced_linear();
  const auto message = [&](simulate::Options run, score::Method score, int times = 64) -> std::string {
    try {
      two_time_kernels(
          {.model = model, .simulation = run, .parameters = {"c"}, .score = {.method = score}, .times = times});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  simulate::Options few = ensemble();
  few.members = 20;
  EXPECT_THAT(message(few, score::Method::automatic), HasSubstr("simulation.members at least 200"));
  EXPECT_THAT(message(ensemble(), score::Method::exact), HasSubstr("use gaussian"));
  EXPECT_THAT(message(ensemble(), score::Method::automatic, 2), HasSubstr("at least 4"));
  simulate::Options many = ensemble();
  many.members = 10'000'000;
  EXPECT_THAT(message(many, score::Method::automatic), HasSubstr("too many to keep"));
}

}  // namespace
}  // namespace gfdt::response

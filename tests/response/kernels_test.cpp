#include "gfdt/response/kernels.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/jacobian/correlation/lag_spectra.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::response {
namespace {

using ::testing::HasSubstr;

symbolic::Model ornstein_uhlenbeck() {
  symbolic::Description description;
  description.state("x", "-alpha*x", "beta").parameter("alpha", 1.0).parameter("beta", 0.8).observable("x2", "x^2");
  return symbolic::build(description);
}

symbolic::Model quartic() {
  symbolic::Description description;
  description.state("x", "a1 + a2*x - x^3", "1.4142135623730951").parameter("a1", 0.0).parameter("a2", 1.0);
  description.observable("warm", "x > 1").observable("mean", "x - a2");
  return symbolic::build(description);
}

simulate::Options short_run() {
  return {.dt = 0.01, .members = 128, .length = 400, .scheme = simulate::Scheme::weak2, .seed = 5};
}

TEST(Kernels, OfAnOrnsteinUhlenbeckProcessAreExponential) {
  const symbolic::Model model = ornstein_uhlenbeck();
  const simulate::ModelSource source(model, short_run());
  const Kernels kernels = response_kernels({.model = model, .source = source, .parameters = {"alpha", "beta"}}, {});
  ASSERT_TRUE(kernels.usable());
  EXPECT_EQ(kernels.averaged, 1);
  EXPECT_NEAR(kernels.longest_lag(), kernels.long_run.jacobian.window->end, kernels.interval);
  const std::vector<jacobian::Estimate> alpha = kernels.of_entry[0].values(), beta = kernels.of_entry[1].values();
  const std::vector<jacobian::Estimate> step = kernels.of_entry[0].step_response();
  ASSERT_EQ(alpha.size(), kernels.time.size());
  // 4.5 standard errors with 31 degrees of freedom, at about 50 lags of three independent curves: a false-alarm rate of
  // about 1 %. At lag 0 the polynomial correction leaves only rounding errors.
  for (std::size_t i = 0; i < kernels.time.size(); ++i) {
    // <x²> = β²/2α relaxes at the rate 2α; its initial rate of change is −2<x²> per unit of α.
    const double decay = std::exp(-2 * kernels.time[i]);
    EXPECT_NEAR(alpha[i].value, -0.64 * decay, 4.5 * alpha[i].standard_error + 1e-9) << kernels.time[i];
    EXPECT_NEAR(beta[i].value, 1.6 * decay, 4.5 * beta[i].standard_error + 1e-9) << kernels.time[i];
    EXPECT_NEAR(step[i].value, -0.32 * (1 - decay), 4.5 * step[i].standard_error + 1e-9) << kernels.time[i];
  }
  EXPECT_EQ(step[0].value, 0);
  EXPECT_LT(step.back().standard_error, 0.1 * std::abs(step.back().value));
  EXPECT_LT(alpha[0].standard_error, 0.05 * std::abs(alpha[0].value));
}

TEST(Kernels, IntegrateToTheJacobianOverTheWindow) {
  const symbolic::Model model = quartic();
  simulate::Options run = short_run();
  run.members = 8;
  run.cadence = 5;
  const simulate::ModelSource source(model, run);
  const jacobian::Window window{2, 4};  // 80 samples: the Jacobian has bins of one sample, too
  for (const score::Method score : {score::Method::exact, score::Method::kgmm}) {
    const jacobian::GfdtProblem problem{.model = model,
                                        .source = source,
                                        .parameters = {"a1", "a2"},
                                        .score = {.method = score, .samples = 20000},
                                        .response = {.window = window, .samples = 30000}};
    const Kernels kernels = response_kernels(problem);
    ASSERT_TRUE(kernels.usable());
    EXPECT_GT(kernels.long_run.strides.drift, 1u);
    const jacobian::Jacobian& jacobian = kernels.long_run.jacobian;
    ASSERT_EQ(kernels.time.size(), 81u);
    jacobian::Weights weights =
        jacobian::window_weights({.samples = 1, .bins = 80, .interval = kernels.interval}, window);
    for (double& weight : weights) weight *= kernels.interval;
    weights[0] /= 2;
    for (std::size_t m = 0; m < 2; ++m)
      for (std::size_t j = 0; j < 2; ++j) {
        const jacobian::Estimate sum = kernels.of_entry[kernels.at(m, j)].sum(weights);
        const jacobian::Estimate direct = kernels.long_run.direct[kernels.at(m, j)];
        EXPECT_EQ(direct.value, m == 1 && j == 1 ? -1 : 0);
        const double entry = jacobian.value[jacobian.at(m, j)];
        EXPECT_NEAR(sum.value + direct.value, entry, 1e-9 * std::abs(entry));
        EXPECT_NEAR(sum.standard_error / jacobian.standard_error[jacobian.at(m, j)], 1, 0.35);
      }
  }
}

TEST(Kernels, OfAnIndicatorStartAtTheDensityAndIntegrateToTheResponse) {
  const symbolic::Model model = quartic();
  const simulate::ModelSource source(model, short_run());
  const Kernels kernels = response_kernels({.model = model, .source = source, .parameters = {"a1"}});
  ASSERT_TRUE(kernels.usable());
  // The density is exp(a1 x + x²/2 − x⁴/4)/Z: the response of P(x > 1) to a1 is <(x > 1) x>.
  double whole = 0, beyond = 0;
  const double h = 1e-3;
  for (int i = -5000; i <= 5000; ++i) {
    const double x = i * h, density = std::exp(x * x / 2 - std::pow(x, 4) / 4);
    whole += density * h;
    if (i >= 1000) beyond += (i == 1000 ? 0.5 : 1) * x * density * h;
  }
  const jacobian::Estimate first = kernels.of_entry[0].values().front(),
                           last = kernels.of_entry[0].step_response().back();
  // Four standard errors with 31 degrees of freedom: a false-alarm rate below 0.1 %.
  EXPECT_NEAR(first.value, std::exp(0.25) / whole, 4 * first.standard_error);
  EXPECT_NEAR(last.value, beyond / whole, 4 * last.standard_error);
  EXPECT_LT(first.standard_error, 0.05 * first.value);
  EXPECT_LT(last.standard_error, 0.1 * last.value);
}

TEST(LagSpectra, AgreeWithDirectProducts) {
  const jacobian::SignalShape shape{.later = 3, .monitored = 1, .earlier = 3, .lanes = 8};
  for (const int samples : {1, 4}) {
    const jacobian::LagBins bins{.samples = samples, .bins = 20, .interval = 0.1};
    jacobian::LagProducts direct(shape, bins);
    jacobian::LagSpectra spectra(shape, bins);
    for (int segment = 0; segment < 2; ++segment) {
      std::vector<double> later, earlier;
      const std::uint64_t count = static_cast<std::uint64_t>(samples) * (segment == 0 ? 300 : 7);
      for (std::uint64_t i = 0; i < count * 32; ++i)
        later.push_back(1 + std::sin(static_cast<double>(i * i % 1009) + segment));
      for (std::uint64_t i = 0; i < count * 24; ++i) earlier.push_back(std::cos(static_cast<double>(i * i % 883)));
      codegen::AlignedArray<double> a(later.size()), b(earlier.size());
      std::ranges::copy(later, a.data());
      std::ranges::copy(earlier, b.data());
      direct.add(a.data(), b.data(), count);
      spectra.add(a.data(), b.data(), 5);
      spectra.add(a.data() + 5 * 32, b.data() + 5 * 24, count - 5);
      const std::vector<jacobian::LagSums> expected = direct.finish(), found = spectra.finish();
      ASSERT_EQ(found.size(), 8u);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        EXPECT_EQ(found[lane].bins, expected[lane].bins);
        for (std::size_t i = 0; i < expected[lane].products.size(); ++i)
          EXPECT_NEAR(found[lane].products[i], expected[lane].products[i], 1e-9) << i;
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(found[lane].later_sum[i], expected[lane].later_sum[i], 1e-9);
          EXPECT_NEAR(found[lane].earlier_sum[i], expected[lane].earlier_sum[i], 1e-9);
        }
      }
    }
  }
}

TEST(FineBins, AreSingleSamplesUnlessThereAreTooMany) {
  const jacobian::SignalShape small{.later = 2, .monitored = 1, .earlier = 2, .lanes = 64};
  const jacobian::LagBins fine = jacobian::fine_bins_reaching(10, 0.01, small);
  EXPECT_EQ(fine.samples, 1);
  EXPECT_EQ(fine.bins, 1000);
  const jacobian::LagBins coarse = jacobian::fine_bins_reaching(100, 0.01, small);
  EXPECT_EQ(coarse.samples, 4);
  EXPECT_EQ(coarse.bins, 2500);
  const jacobian::SignalShape large{.later = 30, .monitored = 1, .earlier = 30, .lanes = 16};
  EXPECT_GT(jacobian::fine_bins_reaching(10, 0.01, large).samples, 1);
}

TEST(Kernels, RejectLagsThatAreTooLongForTheRun) {
  const symbolic::Model model = ornstein_uhlenbeck();
  simulate::Options run = short_run();
  run.length = 60;
  const simulate::ModelSource source(model, run);
  const jacobian::GfdtProblem problem{.model = model, .source = source, .parameters = {"alpha"}};
  try {
    response_kernels(problem, {.longest_lag = 50});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("make simulation.length at least 100"));
  }
  EXPECT_THROW(response_kernels(problem, {.longest_lag = -1}), Error);
}

}  // namespace
}  // namespace gfdt::response
